// What Indonesian reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const indonesian: TopicWords = {
  crash: `force_close keluar_sendiri crash tertutup_sendiri nutup_sendiri menutup_sendiri keluar_terus
    fc keluar_masuk mental keluar_dari_aplikasi keluar_otomatis keluar_keluar close_sendiri
    ketutup ketutup_sendiri tertutup force_stop fore_close forceclose forclose force_closed
    keluar_tiba kluar_sendiri keluar_aplikasi stop_sendiri berhenti_sendiri mati_sendiri
    tidak_bisa_dibuka tidak_bs_dibuka tidak_bisa_di_buka tidak_bs_di_buka tidak_bisa_buka
    tidak_bs_buka tidak_bisa_kebuka tidak_bs_kebuka tidak_bisa_terbuka tidak_bs_terbuka
    tdk_bisa_dibuka tdk_bs_dibuka tdk_bisa_di_buka tdk_bs_di_buka tdk_bisa_buka tdk_bs_buka
    tdk_bisa_kebuka tdk_bs_kebuka tdk_bisa_terbuka tdk_bs_terbuka gak_bisa_dibuka gak_bs_dibuka
    gak_bisa_di_buka gak_bs_di_buka gak_bisa_buka gak_bs_buka gak_bisa_kebuka gak_bs_kebuka
    gak_bisa_terbuka gak_bs_terbuka ga_bisa_dibuka ga_bs_dibuka ga_bisa_di_buka ga_bs_di_buka
    ga_bisa_buka ga_bs_buka ga_bisa_kebuka ga_bs_kebuka ga_bisa_terbuka ga_bs_terbuka
    gk_bisa_dibuka gk_bs_dibuka gk_bisa_di_buka gk_bs_di_buka gk_bisa_buka gk_bs_buka
    gk_bisa_kebuka gk_bs_kebuka gk_bisa_terbuka gk_bs_terbuka nggak_bisa_dibuka nggak_bs_dibuka
    nggak_bisa_di_buka nggak_bs_di_buka nggak_bisa_buka nggak_bs_buka nggak_bisa_kebuka
    nggak_bs_kebuka nggak_bisa_terbuka nggak_bs_terbuka ngga_bisa_dibuka ngga_bs_dibuka
    ngga_bisa_di_buka ngga_bs_di_buka ngga_bisa_buka ngga_bs_buka ngga_bisa_kebuka
    ngga_bs_kebuka ngga_bisa_terbuka ngga_bs_terbuka enggak_bisa_dibuka enggak_bs_dibuka
    enggak_bisa_di_buka enggak_bs_di_buka enggak_bisa_buka enggak_bs_buka enggak_bisa_kebuka
    enggak_bs_kebuka enggak_bisa_terbuka enggak_bs_terbuka ngk_bisa_dibuka ngk_bs_dibuka
    ngk_bisa_di_buka ngk_bs_di_buka ngk_bisa_buka ngk_bs_buka ngk_bisa_kebuka ngk_bs_kebuka
    ngk_bisa_terbuka ngk_bs_terbuka kagak_bisa_dibuka kagak_bs_dibuka kagak_bisa_di_buka
    kagak_bs_di_buka kagak_bisa_buka kagak_bs_buka kagak_bisa_kebuka kagak_bs_kebuka
    kagak_bisa_terbuka kagak_bs_terbuka kaga_bisa_dibuka kaga_bs_dibuka kaga_bisa_di_buka
    kaga_bs_di_buka kaga_bisa_buka kaga_bs_buka kaga_bisa_kebuka kaga_bs_kebuka
    kaga_bisa_terbuka kaga_bs_terbuka g_bisa_dibuka g_bs_dibuka g_bisa_di_buka g_bs_di_buka
    g_bisa_buka g_bs_buka g_bisa_kebuka g_bs_kebuka g_bisa_terbuka g_bs_terbuka nge_hang`,
  bug: `masalah tidak_bisa gak_bisa ga_bisa gk_bisa nggak_bisa ngga_bisa gabisa tdk_bisa gagal
    perbaiki diperbaiki blank tidak_muncul gak_muncul ga_muncul hilang trouble bug ngebug error
    eror erorr tidak_berfungsi tidak_bisa_dibuka gak_bisa_dibuka ga_bisa_dibuka rusak gangguan
    bermasalah kesalahan tidak_bs tidak_bisa2 tidak_dapat tidak_jalan tidak_terbaca
    tidak_terdaftar tidak_ditemukan tidak_valid tidak_terdeteksi tidak_connect tidak_konek
    tidak_terkirim tidak_berhasil tidak_respon tidak_merespon tidak_kebuka tidak_tampil
    tidak_kebaca tidak_cocok tidak_aktif tidak_ketemu tidak_work tdk_bs tdk_bisa2 tdk_dapat
    tdk_muncul tdk_jalan tdk_terbaca tdk_terdaftar tdk_ditemukan tdk_valid tdk_terdeteksi
    tdk_connect tdk_konek tdk_terkirim tdk_berhasil tdk_respon tdk_merespon tdk_kebuka
    tdk_tampil tdk_kebaca tdk_cocok tdk_aktif tdk_ketemu tdk_work gak_bs gak_bisa2 gak_dapat
    gak_jalan gak_terbaca gak_terdaftar gak_ditemukan gak_valid gak_terdeteksi gak_connect
    gak_konek gak_terkirim gak_berhasil gak_respon gak_merespon gak_kebuka gak_tampil gak_kebaca
    gak_cocok gak_aktif gak_ketemu gak_work ga_bs ga_bisa2 ga_dapat ga_jalan ga_terbaca
    ga_terdaftar ga_ditemukan ga_valid ga_terdeteksi ga_connect ga_konek ga_terkirim ga_berhasil
    ga_respon ga_merespon ga_kebuka ga_tampil ga_kebaca ga_cocok ga_aktif ga_ketemu ga_work
    gk_bs gk_bisa2 gk_dapat gk_muncul gk_jalan gk_terbaca gk_terdaftar gk_ditemukan gk_valid
    gk_terdeteksi gk_connect gk_konek gk_terkirim gk_berhasil gk_respon gk_merespon gk_kebuka
    gk_tampil gk_kebaca gk_cocok gk_aktif gk_ketemu gk_work nggak_bs nggak_bisa2 nggak_dapat
    nggak_muncul nggak_jalan nggak_terbaca nggak_terdaftar nggak_ditemukan nggak_valid
    nggak_terdeteksi nggak_connect nggak_konek nggak_terkirim nggak_berhasil nggak_respon
    nggak_merespon nggak_kebuka nggak_tampil nggak_kebaca nggak_cocok nggak_aktif nggak_ketemu
    nggak_work ngga_bs ngga_bisa2 ngga_dapat ngga_muncul ngga_jalan ngga_terbaca ngga_terdaftar
    ngga_ditemukan ngga_valid ngga_terdeteksi ngga_connect ngga_konek ngga_terkirim
    ngga_berhasil ngga_respon ngga_merespon ngga_kebuka ngga_tampil ngga_kebaca ngga_cocok
    ngga_aktif ngga_ketemu ngga_work enggak_bisa enggak_bs enggak_bisa2 enggak_dapat
    enggak_muncul enggak_jalan enggak_terbaca enggak_terdaftar enggak_ditemukan enggak_valid
    enggak_terdeteksi enggak_connect enggak_konek enggak_terkirim enggak_berhasil enggak_respon
    enggak_merespon enggak_kebuka enggak_tampil enggak_kebaca enggak_cocok enggak_aktif
    enggak_ketemu enggak_work ngk_bisa ngk_bs ngk_bisa2 ngk_dapat ngk_muncul ngk_jalan
    ngk_terbaca ngk_terdaftar ngk_ditemukan ngk_valid ngk_terdeteksi ngk_connect ngk_konek
    ngk_terkirim ngk_berhasil ngk_respon ngk_merespon ngk_kebuka ngk_tampil ngk_kebaca ngk_cocok
    ngk_aktif ngk_ketemu ngk_work kagak_bisa kagak_bs kagak_bisa2 kagak_dapat kagak_muncul
    kagak_jalan kagak_terbaca kagak_terdaftar kagak_ditemukan kagak_valid kagak_terdeteksi
    kagak_connect kagak_konek kagak_terkirim kagak_berhasil kagak_respon kagak_merespon
    kagak_kebuka kagak_tampil kagak_kebaca kagak_cocok kagak_aktif kagak_ketemu kagak_work
    kaga_bisa kaga_bs kaga_bisa2 kaga_dapat kaga_muncul kaga_jalan kaga_terbaca kaga_terdaftar
    kaga_ditemukan kaga_valid kaga_terdeteksi kaga_connect kaga_konek kaga_terkirim
    kaga_berhasil kaga_respon kaga_merespon kaga_kebuka kaga_tampil kaga_kebaca kaga_cocok
    kaga_aktif kaga_ketemu kaga_work g_bisa g_bs g_bisa2 g_dapat g_muncul g_jalan g_terbaca
    g_terdaftar g_ditemukan g_valid g_terdeteksi g_connect g_konek g_terkirim g_berhasil
    g_respon g_merespon g_kebuka g_tampil g_kebaca g_cocok g_aktif g_ketemu g_work tidak_masuk
    tdk_masuk gak_masuk ga_masuk gk_masuk nggak_masuk ngga_masuk enggak_masuk ngk_masuk
    kagak_masuk kaga_masuk g_masuk tidak_masuk_masuk tidak_masuk2 tdk_masuk_masuk tdk_masuk2
    gak_masuk_masuk gak_masuk2 ga_masuk_masuk ga_masuk2 gk_masuk_masuk gk_masuk2
    nggak_masuk_masuk nggak_masuk2 ngga_masuk_masuk ngga_masuk2 enggak_masuk_masuk enggak_masuk2
    ngk_masuk_masuk ngk_masuk2 kagak_masuk_masuk kagak_masuk2 kaga_masuk_masuk kaga_masuk2
    g_masuk_masuk g_masuk2 tidak_bs_dibuka tidak_bisa_di_buka tidak_bs_di_buka tidak_bisa_buka
    tidak_bs_buka tidak_bisa_kebuka tidak_bs_kebuka tidak_bisa_terbuka tidak_bs_terbuka
    tdk_bisa_dibuka tdk_bs_dibuka tdk_bisa_di_buka tdk_bs_di_buka tdk_bisa_buka tdk_bs_buka
    tdk_bisa_kebuka tdk_bs_kebuka tdk_bisa_terbuka tdk_bs_terbuka gak_bs_dibuka gak_bisa_di_buka
    gak_bs_di_buka gak_bisa_buka gak_bs_buka gak_bisa_kebuka gak_bs_kebuka gak_bisa_terbuka
    gak_bs_terbuka ga_bs_dibuka ga_bisa_di_buka ga_bs_di_buka ga_bisa_buka ga_bs_buka
    ga_bisa_kebuka ga_bs_kebuka ga_bisa_terbuka ga_bs_terbuka gk_bisa_dibuka gk_bs_dibuka
    gk_bisa_di_buka gk_bs_di_buka gk_bisa_buka gk_bs_buka gk_bisa_kebuka gk_bs_kebuka
    gk_bisa_terbuka gk_bs_terbuka nggak_bisa_dibuka nggak_bs_dibuka nggak_bisa_di_buka
    nggak_bs_di_buka nggak_bisa_buka nggak_bs_buka nggak_bisa_kebuka nggak_bs_kebuka
    nggak_bisa_terbuka nggak_bs_terbuka ngga_bisa_dibuka ngga_bs_dibuka ngga_bisa_di_buka
    ngga_bs_di_buka ngga_bisa_buka ngga_bs_buka ngga_bisa_kebuka ngga_bs_kebuka
    ngga_bisa_terbuka ngga_bs_terbuka enggak_bisa_dibuka enggak_bs_dibuka enggak_bisa_di_buka
    enggak_bs_di_buka enggak_bisa_buka enggak_bs_buka enggak_bisa_kebuka enggak_bs_kebuka
    enggak_bisa_terbuka enggak_bs_terbuka ngk_bisa_dibuka ngk_bs_dibuka ngk_bisa_di_buka
    ngk_bs_di_buka ngk_bisa_buka ngk_bs_buka ngk_bisa_kebuka ngk_bs_kebuka ngk_bisa_terbuka
    ngk_bs_terbuka kagak_bisa_dibuka kagak_bs_dibuka kagak_bisa_di_buka kagak_bs_di_buka
    kagak_bisa_buka kagak_bs_buka kagak_bisa_kebuka kagak_bs_kebuka kagak_bisa_terbuka
    kagak_bs_terbuka kaga_bisa_dibuka kaga_bs_dibuka kaga_bisa_di_buka kaga_bs_di_buka
    kaga_bisa_buka kaga_bs_buka kaga_bisa_kebuka kaga_bs_kebuka kaga_bisa_terbuka
    kaga_bs_terbuka g_bisa_dibuka g_bs_dibuka g_bisa_di_buka g_bs_di_buka g_bisa_buka g_bs_buka
    g_bisa_kebuka g_bs_kebuka g_bisa_terbuka g_bs_terbuka server_full server_penuh server_down
    server_error maintenance maintenence maintenan maintanance kacau kendala terkendala
    dipersulit errorr eror_terus error_terus erornya errornya blank_putih layar_putih
    putih_doang stuck nge_stuck ngestuck macet nyangkut nge_bug nge_blank mental ditolak tolak
    tertolak salah_terus format_salah formatnya_salah salah_server kesalahan_server
    terjadi_kesalahan susah_masuk susah_login susah_dibuka susah_banget_masuk susah_banget_login
    login_susah loginnya_susah login_aja_susah susah_log_in susah_sekali_login susah_daftar
    susahnya_login offline_terus down jaringan_error koneksi_error koneksi_terputus putus_terus
    terputus belum_masuk belum_muncul blm_muncul belum_bisa blm_bisa blum_bisa tak_bisa
    tak_dapat tiba_tiba_hilang ilang terhapus loading_terus loading_mulu loading_trus
    muter_terus muter2 gagal_terus gagal_mulu gagal_login gagal_verifikasi gagal_daftar
    kode_otp_tidak otp_tidak otp_gak otp_ga otp_tdk verifikasi_gagal terblokir diblokir blokir
    tidak_akurat gak_akurat ga_akurat ngaco ngawur tidak_sesuai gak_sesuai ga_sesuai dobel
    kehapus reset_sendiri benerin dibenerin betulkan dibetulkan cacat bobrok remek sulit_diakses
    susah_diakses sulit_akses tidak_dapat_diakses troubel trobel lemah_server server_nya
    error_mulu eror_mulu erorrr sering_gangguan keluar_sendiri logout_sendiri kluar_sendiri
    tidak_kompatibel tdk_kompatibel gak_kompatibel ga_kompatibel tidak_support gak_support
    ga_support tidak_mendukung susah_banget susah_sekali susah_bgt aja_susah susah_amat
    susah_terus susah_mulu masuk_susah tidak_di_temukan tidak_ada_respon gak_ada_respon
    ga_ada_respon logout_terus keluar_terus login_ulang_terus daftar_ulang_terus
    suruh_daftar_lagi otp_lama tiap_buka`,
  performance: `lamban nge_lag server_down respon_lambat lambat lemot lelet ngelag lag loading loading_lama
    lola lag_parah ngelag_parah nglag ngeleg leg lelet_banget lemot_banget nglemot lambatt
    lola_banget lama_loading loadingnya lama_banget_loading berat_banget berat_dibuka
    lama_dibuka lama_bukanya lama_buka lama_terbuka lama_kebuka lama_respon lama_responnya
    putus_putus patah_patah memori memory ram penyimpanan server_lemot server_lambat
    server_lelet jaringan_lemot tidak_responsif gak_responsif slow slow_respon`,
  login: `login log_in masuk_akun tidak_bisa_masuk gak_bisa_masuk ga_bisa_masuk kata_sandi sandi
    password otp kode_verifikasi verifikasi daftar pendaftaran logout tidak_bisa_login
    tidak_bisa_log_in tidak_bisa_daftar tidak_bisa_verifikasi tidak_bisa_registrasi
    tidak_bisa_loggin tdk_bisa_login tdk_bisa_log_in tdk_bisa_masuk tdk_bisa_daftar
    tdk_bisa_verifikasi tdk_bisa_registrasi tdk_bisa_loggin gak_bisa_login gak_bisa_log_in
    gak_bisa_daftar gak_bisa_verifikasi gak_bisa_registrasi gak_bisa_loggin ga_bisa_login
    ga_bisa_log_in ga_bisa_daftar ga_bisa_verifikasi ga_bisa_registrasi ga_bisa_loggin
    gk_bisa_login gk_bisa_log_in gk_bisa_masuk gk_bisa_daftar gk_bisa_verifikasi
    gk_bisa_registrasi gk_bisa_loggin nggak_bisa_login nggak_bisa_log_in nggak_bisa_masuk
    nggak_bisa_daftar nggak_bisa_verifikasi nggak_bisa_registrasi nggak_bisa_loggin
    ngga_bisa_login ngga_bisa_log_in ngga_bisa_masuk ngga_bisa_daftar ngga_bisa_verifikasi
    ngga_bisa_registrasi ngga_bisa_loggin enggak_bisa_login enggak_bisa_log_in enggak_bisa_masuk
    enggak_bisa_daftar enggak_bisa_verifikasi enggak_bisa_registrasi enggak_bisa_loggin
    ngk_bisa_login ngk_bisa_log_in ngk_bisa_masuk ngk_bisa_daftar ngk_bisa_verifikasi
    ngk_bisa_registrasi ngk_bisa_loggin kagak_bisa_login kagak_bisa_log_in kagak_bisa_masuk
    kagak_bisa_daftar kagak_bisa_verifikasi kagak_bisa_registrasi kagak_bisa_loggin
    kaga_bisa_login kaga_bisa_log_in kaga_bisa_masuk kaga_bisa_daftar kaga_bisa_verifikasi
    kaga_bisa_registrasi kaga_bisa_loggin g_bisa_login g_bisa_log_in g_bisa_masuk g_bisa_daftar
    g_bisa_verifikasi g_bisa_registrasi g_bisa_loggin masuk_lagi akun akunnya daftar_akun
    buat_akun bikin_akun lupa_pin lupa_password lupa_sandi pin pinnya reset_password reset_pin
    ganti_pin kode_verif verif verifikasinya otp_nya kode_otp registrasi regist loginnya
    ngelogin logout_sendiri keluar_akun aktivasi aktifasi aktivasinya mendaftar terdaftar
    didaftarkan daftarnya daftarin scan_wajah verifikasi_wajah wajah sms_verifikasi
    face_recognition sms_nya username foto_ktp swafoto selfi selfie pasword verivikasi
    verifikasi_email pendaftarannya mendaftarkan foto_wajah`,
  pricing: `harga mahal murah gratis biaya kemahalan termahal berbayar bayar_mahal biaya_admin
    diskon promo ongkir tarif tarifnya harganya boros_kuota kuota`,
  subscription: `langganan berlangganan premium berlangganan_premium paket_langganan member
    membership`,
  ads: "iklan iklannya iklan_mulu banyak_iklan iklan_terus promosi",
  ui: `tampilan* antarmuka desain ui mode_gelap tombol user_friendly tidak_user_friendly
    ribet_banget_tampilan menu menunya font huruf warna gambar grafik grafisnya grafis logo ikon
    icon mudah_digunakan mudah_dipahami mudah_dimengerti susah_dipahami membingungkan bingung_pakai
    sulit_dipahami layar tulisan`,
  featureRequest: `tolong_dibuat tolong_di_tambah mohon_di_tambah* tambah_fitur sebaiknya semoga_kedepannya
    seharusnya perlu_ditambah* mungkin_bisa tolong_tambah* mohon_tambah* tolong_ditambah*
    mohon_ditambah* tambahkan ditambahkan tambahin semoga_ada saran kalau_bisa seharusnya_ada
    mohon_dibuat mohon_di_buat tolong_dibikin tolong_dikasih tolong_diberi mohon_diberi
    mohon_dikasih mohon_disediakan tolong_disediakan tolong_adakan mohon_adakan
    mohon_ditingkatkan mohon_di_tingkatkan tolong_ditingkatkan perlu_ditingkatkan
    perlu_di_tingkatkan lebih_ditingkatkan semoga_bisa semoga_nanti semoga_kedepan
    kedepannya_bisa kedepannya_ada kedepan_bisa ke_depannya kalo_bisa klo_bisa klw_bisa kl_bisa
    usul masukan ditambah_fitur ditambah_lagi di_tambah_lagi ditambahin di_tambahin ditambahi
    tambah_lagi nambah fitur_baru perlu_fitur butuh_fitur alangkah_baiknya lebih_baik_jika
    lebih_baik_kalau lebih_bagus_kalau lebih_bagus_jika akan_lebih_baik seandainya andai
    andaikan mestinya semestinya kenapa_tidak_ada kenapa_gak_ada kenapa_ga_ada kok_ga_ada
    kok_gak_ada tidak_ada_fitur gak_ada_fitur ga_ada_fitur tidak_ada_pilihan ga_ada_pilihan
    gak_ada_opsi belum_ada_fitur belum_tersedia tidak_tersedia dipermudah permudah di_permudah
    diperbanyak perbanyak banyakin pengen_ada ingin_ada minta_fitur harap_ditambah
    harap_ditambahkan harap_diperbaiki_fitur saya_harap berharap_ada bisa_ditambahkan
    dikembangkan disempurnakan kurang_fitur fiturnya_kurang fitur_kurang dilengkapi sebaiknya_di
    lebih_simpel dibikin_simpel dibuat_simpel kurang_lengkap bisa_online secara_online sediakan
    buatkan dibuatkan tolong_buatkan mohon_dibuatkan tolong_dibuatkan harusnya agar_bisa
    supaya_bisa kenapa_harus secara_mandiri harus_offline harus_ofline online_tapi_harus
    online_tp_harus katanya_online harus_datang harus_ke_kantor datang_ke_kantor tatap_muka
    harus_ketemu diberikan_fitur ada_fitur tombol_untuk ditambah_menu lebih_praktis`,
  update: `update diupdate versi_baru versi_terbaru pembaruan perbarui diperbarui di_update
    update_terus upgrade versi_lama versi_android perbarui_aplikasi memperbarui pembaharuan
    update_mulu apdet abdet updet wajib_update tidak_bisa_download ga_bisa_download
    gak_bisa_download download_ulang instal_ulang install_ulang`,
  notifications: "notifikasi notif pemberitahuan notifikasinya alarm peringatan pengingat",
  support: `layanan_pelanggan cs customer_service tidak_direspon tidak_ada_respon gak_ada_respon
    call_center pengaduan pelayanan_pelanggan admin adminnya operator petugas cs_nya csnya respon_cs
    keluhan aduan laporan live_chat tidak_ditanggapi gak_ditanggapi ga_ditanggapi tidak_dibalas
    gak_dibalas ga_dibalas balas hubungi_cs helpdesk`,
  privacy: `privasi data_pribadi data_saya kebocoran_data izin_akses data_kita data_pribadi_saya
    data_bocor bocor keamanan_data akses_lokasi izin_lokasi pencurian_data penipuan_data minta_akses`,
  battery: `baterai batre batrai hp_panas boros_baterai boros_batre baterainya hp_jadi_panas
    bikin_panas`,
  payment: `pembayaran bayar transaksi saldo refund top_up topup uang_saya pengembalian_dana
    pembayarannya pembyran membayar dibayar bayarnya metode_pembayaran autodebit auto_debit
    debit kartu_kredit transfer rekening qris ovo gopay linkaja link_aja ewallet e_wallet
    e_money isi_ulang topup_gagal saldo_saya uangnya tagihan denda riwayat_transaksi tunai
    uang_tunai cash uang_cash voucher`,
  content: `konten film lagu musik video artikel berita level_game resep materi soal pelajaran
    informasi isi_konten acara siaran film_nya filmnya episode game_nya karakter misi level event`,
  praise: `sangat_bagus bagus_banget bagus_sekali keren* mantap* mantul terbaik luar_biasa
    sangat_membantu aplikasi_bagus sempurna the_best suka_banget sangat_suka puas sangat_puas
    sangat_baik sangat_mudah bagus_aplikasinya aplikasinya_bagus jos joss top_markotop oke_banget
    recomended recommended alhamdulillah sangat_bermanfaat bermanfaat membantu_sekali
    membantu_banget terima_kasih_banyak`,
};
