// What Turkish reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const turkish: TopicWords = {
  crash: `çöküyor çöktü kapanıyor kendi_kendine_kapan* sürekli_kapan* uygulamadan_atıyor
    kapanıyor_sürekli kendi_kendine_kapanıyor kendiliğinden_kapan* durduruldu durdu
    sürekli_durduruluyor çökme çökmeler çöküp atıyor uygulama_atıyor oyundan_atıyor
    açılmıyor_bile açılmıyor açmıyor açılmadan_kapan* donup_kapan* donuyor donma donma_sorunu
    donuyo dondu`,
  bug: `sorun* olmuyor açılmadı hata hatası hatalar hata_veriyor bug çalışmıyor açılmıyor
    çalışmadı çalışmaz çalışmıyo işe_yaramıyor işe_yaramaz olmadı yapamıyorum yapamadım yapılamıyor
    açamıyorum kullanamıyorum kullanılamıyor göremiyorum görünmüyor gözükmüyor göstermiyor gelmiyor
    gelmedi gitmiyor yüklenmedi indiremiyorum indirilmiyor bağlanmıyor bağlanamıyor bağlanamıyorum
    bağlantı_hatası bağlantı_sorunu senkronize_olmuyor kaydetmiyor kaydedilmiyor güncellenmiyor
    gönderilmiyor gönderemiyorum tepki_vermiyor yanıt_vermiyor cevap_vermiyor_uygulama algılamıyor
    tanımıyor bulamıyor ses_gelmiyor ses_yok siyah_ekran beyaz_ekran kayboldu silindi kaybettim
    yanlış hatalı bozuk bozuldu arıza arızalı buglu bug_var düzeltin düzeltilsin düzeltilmeli çözün
    çözülsün çözülmüyor çözülmedi giremedim takılıyor takıldı takılı_kaldı dönüp_duruyor sunucu
    server bakım bakımda başarısız izin_vermiyor kabul_etmiyor imkansız mümkün_değil sıkıntı*
    problem* saçma_hata berbat_çalış*`,
  performance: `yavaş* kasıyor kasma geç_açılıyor yüklenmiyor kasıyo kasma_sorunu kasmalar takılma* ağır
    çok_ağır yavaşlık geç_yükleniyor yükleme_süresi bekletiyor saatlerce_yük* optimizasyon fps
    lag ram depolama`,
  login: `giriş giremiyorum giriş_yap* şifre* kayıt_ol* doğrulama_kodu hesabıma girilmiyor
    giremiyoruz oturum oturum_aç* kayıt_olamıyorum üye_ol* doğrulama kod_gelmiyor kod_gelmedi
    onay_kodu sms_gelmiyor hesabım hesabımı hesap_aç* hesap_askı* hesabım_kapatıldı engellendi
    banlandı ban_yedim çalındı parola kullanıcı_adı e_devlet`,
  pricing: `fiyat* pahalı* ücretli ücretsiz ucuz* pahalı ücret ücretler paralı beleş bedava zam
    zamlı fahiş kazık komisyon indirim kampanya tarife kuruş_vermem`,
  subscription: `abonelik* abone premium üyelik* deneme_süresi üyelik_iptal aboneliği aboneliğimi
    iptal_edemiyorum aylık_ücret yıllık deneme`,
  ads: "reklam* reklamlar reklamdan çok_reklam spam",
  ui: `arayüz* tasarım* karanlık_mod kullanışlı* buton menü arayüzü ekran_tasarımı kullanışsız
    kullanımı_kolay kullanımı_zor kolay_kullanım kullanıcı_dostu karışık karmaşık anlaşılmıyor
    anlaşılır sade grafik* görsel* yazı_tipi yazı_boyutu tema simge ikon butonlar menüler ana_ekran
    widget gece_modu koyu_tema`,
  featureRequest: `eklenmeli eklenirse ekleyin eklerseniz olsa_iyi_olur olsaydı keşke eklensin
    özelliği_gelsin eklenebilir eklense eklerlerse eklenirse_iyi ekleyebilir ekleyebilirsiniz
    ekler_misiniz eklemeniz eklemelisiniz eklenmesi eklenmesini eklenmesi_gerek*
    eklenmesini_istiyorum gelsin gelmeli getirin getirilsin getirilmeli olmalı olmalıydı
    olması_lazım olması_gerek* olması_güzel olsa_güzel olsa_daha olsa_süper olabilir_mi olabilirdi
    isterdim istiyoruz lütfen_ekleyin önerim öneri önerir* tavsiyem seçeneği_olsa seçeneği_olmalı
    seçeneği_yok seçenek_yok özelliği_yok özelliği_eklen* özellik_eklen* özelliği_olsa eksik
    eksikler eksiklik* yok_mu neden_yok niye_yok geliştirilmeli geliştirilebilir iyileştir*
    geri_getirin geri_gelsin eski_haline desteklemiyor destek_yok uyumlu_değil uyumsuz bekliyoruz`,
  update: `güncelleme* güncellendi yeni_sürüm son_sürüm yeni_versiyon güncelledim güncelleyin
    güncelleme_sonrası güncellemeden_sonra eski_sürüm eski_versiyon sürüm versiyon`,
  notifications: "bildirim* hatırlatıcı* bildirimler bildirim_gelmiyor uyarı alarm hatırlatma",
  support: `müşteri_hizmetleri destek cevap_vermiyor dönüş_yok müşteri_temsilcisi müşteri_hizmeti
    destek_ekibi dönüş_yapmıyor* dönüş_yapılmadı cevap_yok cevap_alamadım ilgilenmiyor* muhatap
    şikayet* canlı_destek iletişim`,
  privacy: `gizlilik kişisel_veri* kişisel_bilgi* izinler kişisel_bilgilerim bilgilerimi
    veri_ihlali güvenlik gizliliği izin_istiyor konum takip_ediyor casus verilerimi`,
  battery: "şarj* pil batarya pili şarjı pil_tüket* şarj_yiyor ısınıyor ısınma",
  payment: `ödeme* iade para_iadesi kredi_kartı paramı ödeyemiyorum ödeme_yapamıyorum para_çekti
    para_çekildi param parayı para_iade* iade_edilmedi iadesi kartımdan kart_bilgi* havale eft
    bakiye satın_al* fatura cüzdan`,
  content: `içerik* videolar filmler şarkı* müzik bölümler haberler diziler video film dizi
    karakter* hikaye bölüm görev* etkinlik* seviye level ödül* eşleşme kanal* podcast kitap* haber
    müzikler şarkılar oynanış`,
  praise: `mükemmel* harika* muhteşem* bayıldım en_iyi_uygulama çok_güzel_uygulama efsane
    süper_uygulama çok_güzel çok_iyi süper şahane bayılıyorum teşekkür* tavsiye_ederim memnunum
    kusursuz başarılı on_numara bayıldım_buna`,
};
