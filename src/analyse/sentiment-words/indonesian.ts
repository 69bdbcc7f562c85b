// Words of praise and blame in Indonesian reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const indonesian: SentimentWords = {
  best: `mantap* mantab mantep* mantul* keren* terbaik sempurna luar_biasa sangat_bagus
    bagus_banget bagus_sekali suka_banget excellent hebat jos joss the_best perfect
    recommended top_markotop top memuaskan sangat_membantu amat_membantu`,
  good: `bagus* baik suka seneng senang mudah memudahkan dimudahkan dipermudah mempermudah cepat
    cepet lancar membantu terbantu bantu bermanfaat berguna puas nyaman praktis asik asyik
    seru simpel simple gampang ramah aman sukses oke_banget ok_banget bgus bagu cocok good
    nice love helpful great menarik lumayan rapi tidak_buruk gak_jelek tidak_mengecewakan
    gak_mengecewakan gak_ada_masalah tidak_ada_masalah manfaat efisien jelas canggih cakep
    murah josss kerenn menyenangkan terpercaya lengkap tepat_waktu bersih`,
  mildGood: "terima_kasih terimakasih makasih trima_kasih thanks thank ok oke okay sip semoga",
  bad: `jelek buruk lambat lemot lelet lama eror error bug ngebug lag ngelag gagal susah sulit
    ribet kecewa mengecewakan payah rusak masalah bermasalah gangguan tidak_bisa gak_bisa
    ga_bisa nggak_bisa ngga_bisa gk_bisa gabisa tdk_bisa tak_bisa g_bisa ngk_bisa ndak_bisa
    tidak_dapat gak_jelas ga_jelas gk_jelas tidak_jelas tidak_sesuai gak_masuk tidak_berfungsi
    tidak_muncul gak_muncul ga_muncul macet hilang force_close keluar_sendiri nge_hang mahal
    boros bosan kurang terlalu_banyak_iklan banyak_iklan iklan_terus kebanyakan_iklan
    menyebalkan kesal kesel bikin_emosi emosi uninstall perbaiki diperbaiki tolong_perbaiki
    mohon_diperbaiki tolong_diperbaiki ngaco kacau bingung membingungkan mempersulit
    dipersulit percuma ditolak blank lola muter_muter loading_terus loading_mulu salah_terus
    telat terlambat padahal bad slow jangan_download nyusahin menyusahkan kenapa knp malah
    mulu gmn gimana_sih tolong ngelek down maintenance`,
  worst: `terburuk parah sampah penipu penipuan menipu bodoh goblok tolol anjing bangsat tai busuk
    gak_berguna tidak_berguna ga_guna gak_guna tidak_guna gak_ada_gunanya brengsek bobrok
    hancur zonk ampas maling nol_bintang memalukan sangat_buruk worst`,
  negators: `tidak gak ga nggak ngga gk tdk bukan tanpa jangan belum blm tak kagak engga enggak ndak
    kurang`,
};
