// Words of praise and blame in Turkish reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const turkish: SentimentWords = {
  best: `mükemmel* harika* süper super muhteşem* bayıldım bayılıyorum kusursuz* efsane* şahane*
    en_iyi on_numara seviyorum müthiş* fevkalade`,
  good: `iyi güzel* guzel* beğendim beğeniyorum sevdim kullanışlı* faydalı* kolay* hızlı* pratik*
    eğlenceli* tavsiye_ederim öneririm memnunum teşekkür_eder başarılı* kaliteli* yararlı* hoş
    rahat* fena_değil kötü_değil sorunsuz* sorun_yok iyiki aferin güzel güzeldi çok_güzel harika
    muhteşem mükemmel çok_iyi başarılı faydalı yararlı kullanışlı kolay pratik hızlı rahat
    eğlenceli teşekkür* memnun memnun_kaldım kaliteli sorunsuz efsane şahane tatlı akıcı
    yardımcı gayet_iyi gayet_güzel ücretsiz_ve favori`,
  mildGood: "teşekkürler teşekkür tesekkurler sağolun tamam idare_eder",
  bad: `kötü* kotu* yavaş* sıkıcı* donuyor donma kasıyor kasma çöküyor kapanıyor hata hatası
    hatalar* sorun sorunlu problem* çalışmıyor açılmıyor açılmadı girmiyor giremiyorum
    yüklenmiyor olmuyor yapamıyorum gelmiyor işe_yaramıyor işe_yaramaz beğenmedim sevmedim
    memnun_değilim iyi_değil güzel_değil tavsiye_etmem tavsiye_etmiyorum çok_reklam reklam_çok
    fazla_reklam pahalı* atıyor siliyorum sildim zor saçma* indirmeyin yüklemeyin almayın
    hayal_kırıklığı bozuk* yetersiz* düzeltin maalesef mağdur* kötü yavaş dondu çöktü
    göndermiyor hatalı sorunu problem sıkıcı pahalı reklamdan sinir* gereksiz saçma bozuk
    bozdunuz bozuldu kaldırdım silin yetersiz berbat_bir eksik zaman_kaybı ilgilenmiyor
    cevap_yok kayboldu`,
  worst: `berbat* rezalet* çöp dolandırıcı* iğrenç* en_kötü hırsız* bok rezil* sahtekar*
    yazıklar_olsun felaket* vakit_kaybı berbat rezalet rezil iğrenç dolandırıcı dolandırıcılık
    hırsız felaket nefret utanç aptal boktan sakın_indirmeyin sıfır`,
  negators: "",
  afterNegators: "değil degil yok",
};
