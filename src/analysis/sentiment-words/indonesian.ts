// Words of praise and blame in Indonesian reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const indonesian: SentimentWords = {
  best: `mantap* mantab mantep* mantul* keren* terbaik sempurna luar_biasa sangat_bagus
    bagus_banget bagus_sekali suka_banget excellent hebat jos joss the_best perfect
    recommended top_markotop top memuaskan sangat_membantu amat_membantu`,
  good: `bagus* baik suka seneng senang mudah memudahkan dimudahkan dipermudah mempermudah cepat
    cepet lancar membantu terbantu bantu bermanfaat berguna puas nyaman praktis asik asyik seru
    simpel simple gampang ramah aman sukses oke_banget ok_banget bgus bagu cocok good nice love
    helpful great menarik lumayan rapi tidak_buruk gak_jelek tidak_mengecewakan gak_mengecewakan
    gak_ada_masalah tidak_ada_masalah manfaat efisien jelas canggih cakep murah josss kerenn
    menyenangkan terpercaya lengkap tepat_waktu bersih bagusss bermutu kece terimakasih_banyak
    mantul memudahkan_saya mempermudah_saya sangat_puas puas_sekali recomended rekomendasi
    rekomen direkomendasikan worth oke_lah bangga profesional responsif sigap ringan lengkap_dan
    up_to_date informatif menghibur lucu imut bikin_betah betah nagih ketagihan ga_nyesel
    gak_nyesel tidak_menyesal ga_ribet gak_ribet tanpa_ribet akurat adil jernih berkualitas
    semakin_baik makin_bagus makin_baik lebih_mudah lebih_cepat is_the_best luarbiasa
    luar_biasa_bagus`,
  mildGood: "terima_kasih terimakasih makasih trima_kasih thanks thank ok oke okay sip semoga",
  bad: `jelek buruk lambat lemot lelet lama eror error bug ngebug lag ngelag gagal susah sulit ribet
    kecewa mengecewakan payah rusak masalah bermasalah gangguan tidak_bisa gak_bisa ga_bisa
    nggak_bisa ngga_bisa gk_bisa gabisa tdk_bisa tak_bisa g_bisa ngk_bisa ndak_bisa tidak_dapat
    gak_jelas ga_jelas gk_jelas tidak_jelas tidak_sesuai gak_masuk tidak_berfungsi tidak_muncul
    gak_muncul ga_muncul macet hilang force_close keluar_sendiri nge_hang mahal boros bosan
    kurang terlalu_banyak_iklan banyak_iklan iklan_terus kebanyakan_iklan menyebalkan kesal
    kesel bikin_emosi emosi uninstall perbaiki diperbaiki tolong_perbaiki mohon_diperbaiki
    tolong_diperbaiki ngaco kacau bingung membingungkan mempersulit dipersulit percuma ditolak
    blank lola muter_muter loading_terus loading_mulu salah_terus telat terlambat padahal bad
    slow jangan_download nyusahin menyusahkan kenapa knp malah mulu gmn gimana_sih tolong ngelek
    down maintenance lemottt ngefreeze freeze nyangkut stuck not_responding gagal_terus
    gagal_mulu error_terus error_mulu gabisa_login ga_bs gk_bs tdk_bs gak_bs tidak_bs ga_dapat
    susah_login susah_masuk susah_banget sulit_banget ribet_banget lama_banget lama_sekali
    lambat_sekali ga_kebuka gak_kebuka gk_kebuka ga_muncul2 ga_berfungsi gak_berfungsi
    gak_respon ga_respon tidak_respon tdk_respon tidak_memuaskan tidak_profesional tidak_ramah
    tidak_membantu gak_membantu ga_membantu menyulitkan merepotkan repot rugi dirugikan
    merugikan kapok nyesel menyesal kecewa_berat kecewa_banget sangat_kecewa membosankan bosen
    berat ngeselin bete keluhan komplain dibatalkan batal diblokir terblokir pemborosan
    buang_waktu buang_buang iklan_banyak terlalu_banyak banyak_bug bnyk_iklan kurang_bagus
    kurang_baik kurang_puas makin_jelek makin_lemot makin_parah makin_ribet tambah_parah
    sering_error sering_eror sering_gangguan trouble mending_hapus hapus_aja dihapus`,
  worst: `terburuk parah sampah penipu penipuan menipu bodoh goblok tolol anjing bangsat tai busuk
    gak_berguna tidak_berguna ga_guna gak_guna tidak_guna gak_ada_gunanya brengsek bobrok hancur
    zonk ampas maling nol_bintang memalukan sangat_buruk worst terparah paling_buruk bego
    tolong_hapus kacau_balau bohong pembohong tipu tipu_tipu sesat korup gembel jelek_banget
    jelek_sekali buruk_sekali parah_banget ancur hancur_sekali kontol bangke asu taik sialan`,
  negators: `tidak gak ga nggak ngga gk tdk bukan tanpa jangan belum blm tak kagak engga enggak ndak
    kurang`,
};
