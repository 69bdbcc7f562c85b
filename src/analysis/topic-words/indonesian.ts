// What Indonesian reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const indonesian: TopicWords = {
  crash: `force_close keluar_sendiri crash tertutup_sendiri nutup_sendiri menutup_sendiri
    keluar_terus fc`,
  bug: `masalah tidak_bisa gak_bisa ga_bisa gk_bisa nggak_bisa ngga_bisa gabisa tdk_bisa gagal
    perbaiki diperbaiki blank tidak_muncul gak_muncul ga_muncul hilang trouble bug ngebug
    error eror erorr tidak_berfungsi tidak_bisa_dibuka gak_bisa_dibuka ga_bisa_dibuka rusak
    gangguan bermasalah kesalahan`,
  performance: `lama lamban muter* nge_lag server_down respon_lambat lambat lemot lelet ngelag lag loading
    loading_lama macet nge_hang berat lola`,
  login: `login log_in masuk_akun tidak_bisa_masuk gak_bisa_masuk ga_bisa_masuk kata_sandi sandi
    password otp kode_verifikasi verifikasi daftar pendaftaran logout`,
  pricing: "harga mahal murah gratis biaya kemahalan",
  subscription: "langganan berlangganan premium",
  ads: "iklan iklannya",
  ui: "tampilan* antarmuka desain ui mode_gelap tombol",
  featureRequest: `tolong_dibuat tolong_di_tambah mohon_di_tambah* tambah_fitur sebaiknya lebih_baik_lagi
    ditingkatkan tingkatkan semoga_kedepannya harusnya seharusnya perlu_ditambah* mungkin_bisa
    tolong_tambah* mohon_tambah* tolong_ditambah* mohon_ditambah* tambahkan ditambahkan
    tambahin semoga_ada saran kalau_bisa seharusnya_ada`,
  update: "update diupdate versi_baru versi_terbaru pembaruan perbarui diperbarui",
  notifications: "notifikasi notif pemberitahuan",
  support: `layanan_pelanggan cs customer_service tidak_direspon tidak_ada_respon gak_ada_respon
    call_center pengaduan`,
  privacy: "privasi data_pribadi data_saya kebocoran_data izin_akses",
  battery: "baterai batre batrai hp_panas",
  payment: "pembayaran bayar transaksi saldo refund top_up topup uang_saya pengembalian_dana",
  content: "konten film lagu musik video artikel berita level_game resep",
  praise: `sangat_bagus bagus_banget bagus_sekali keren* mantap* mantul terbaik luar_biasa
    sangat_membantu aplikasi_bagus sempurna the_best`,
};
