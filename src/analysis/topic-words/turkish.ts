// What Turkish reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const turkish: TopicWords = {
  crash: "çöküyor çöktü kapanıyor kendi_kendine_kapan* sürekli_kapan* uygulamadan_atıyor",
  bug: "sorun* olmuyor açılmadı hata hatası hatalar hata_veriyor bug çalışmıyor açılmıyor",
  performance: "yavaş* donuyor donma kasıyor kasma geç_açılıyor yüklenmiyor",
  login: "giriş giremiyorum giriş_yap* şifre* kayıt_ol* doğrulama_kodu hesabıma",
  pricing: "fiyat* pahalı* ücretli ücretsiz ucuz*",
  subscription: "abonelik* abone premium üyelik* deneme_süresi",
  ads: "reklam*",
  ui: "arayüz* tasarım* karanlık_mod kullanışlı* buton menü",
  featureRequest: `eklenmeli eklenirse ekleyin eklerseniz olsa_iyi_olur olsaydı keşke eklensin
    özelliği_gelsin`,
  update: "güncelleme* güncellendi yeni_sürüm son_sürüm yeni_versiyon",
  notifications: "bildirim* hatırlatıcı*",
  support: "müşteri_hizmetleri destek cevap_vermiyor dönüş_yok",
  privacy: "gizlilik kişisel_veri* kişisel_bilgi* izinler",
  battery: "şarj* pil batarya",
  payment: "ödeme* iade para_iadesi kredi_kartı paramı",
  content: "içerik* videolar filmler şarkı* müzik bölümler haberler diziler",
  praise: `mükemmel* harika* muhteşem* bayıldım en_iyi_uygulama çok_güzel_uygulama efsane
    süper_uygulama`,
};
