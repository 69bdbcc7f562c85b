// Words of praise and blame in Turkish reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const turkish: SentimentWords = {
  best: `mükemmel* harika* süper super muhteşem* bayıldım bayılıyorum kusursuz* efsane* şahane*
    en_iyi on_numara seviyorum müthiş* fevkalade`,
  good: `iyi güzel* guzel* beğendim beğeniyorum sevdim kullanışlı* faydalı* kolay* hızlı* pratik*
    eğlenceli* tavsiye_ederim öneririm memnunum teşekkür_eder başarılı* kaliteli* yararlı* hoş
    rahat* fena_değil kötü_değil sorunsuz* sorun_yok iyiki aferin`,
  mildGood: "teşekkürler teşekkür tesekkurler sağolun tamam idare_eder",
  bad: `kötü* kotu* yavaş* sıkıcı* donuyor donma kasıyor kasma çöküyor kapanıyor hata hatası
    hatalar* sorun sorunlu problem* çalışmıyor açılmıyor açılmadı girmiyor giremiyorum
    yüklenmiyor olmuyor yapamıyorum gelmiyor işe_yaramıyor işe_yaramaz beğenmedim sevmedim
    memnun_değilim iyi_değil güzel_değil tavsiye_etmem tavsiye_etmiyorum çok_reklam reklam_çok
    fazla_reklam pahalı* atıyor siliyorum sildim zor saçma* indirmeyin yüklemeyin almayın
    hayal_kırıklığı bozuk* yetersiz* düzeltin maalesef mağdur*`,
  worst: `berbat* rezalet* çöp dolandırıcı* iğrenç* en_kötü hırsız* bok rezil* sahtekar*
    yazıklar_olsun felaket* vakit_kaybı`,
  negators: "",
  afterNegators: "değil degil yok",
};
