// Invented reviews in Indonesian.
import type { PhraseBook } from "./phrase-book.ts";

export const indonesian: PhraseBook = {
  nicknames: ["kopi_sore", "Dewi L", "anak gunung", "Rizal", "senja.biru", "Mbak Tini", "pensil"],
  slots: {
    device: ["tablet", "HP lama", "HP baru"],
    feature: ["kalender", "widget", "pencarian", "mode gelap", "daftar bersama"],
    time: ["seminggu", "tiga bulan", "dua tahun", "setengah tahun"],
    price: ["19 ribu sebulan", "150 ribu setahun", "30 ribu"],
  },
  praise: [
    ["Bagus sekali", "Sudah {time} saya pakai dan lancar terus. Paling suka {feature}."],
    ["Mantap", "Sederhana, cepat dan rapi. Semua rencana minggu ini saya catat di sini."],
    ["Akhirnya ketemu", "Sudah coba banyak aplikasi lain, ini yang terbaik. Harga {price} pantas."],
    ["Pelayanan ramah", "Saya tanya soal {feature}, dijawab di hari yang sama. Terima kasih."],
    ["Ringan", "Langsung terbuka walaupun di {device} saya. Tampilan barunya cantik."],
  ],
  mixed: [
    ["Bagus tapi mahal", "Saya suka {feature}, tapi {price} terlalu mahal untuk catatan."],
    [
      "Hampir sempurna",
      "Tolong tambahkan pengingat menurut tempat, nanti saya kasih bintang lima.",
    ],
    ["Lumayan", "Cukup membantu, tapi sejak versi {version} baterai cepat habis."],
  ],
  complaints: [
    ["Kebanyakan iklan", "Setiap dibuka muncul iklan satu layar penuh. Sangat mengganggu."],
    ["Catatan hilang", "Sinkronisasi gagal dan catatan saya selama {time} hilang semua."],
    ["Lambat", "Lama sekali terbuka di {device} saya. Dulu cepat."],
    ["Uang terpotong", "Sudah batal masa coba tapi tetap ditagih {price}. Kembalikan uang saya."],
    ["Notifikasi telat", "Pengingat datang berjam-jam terlambat atau tidak datang sama sekali."],
    ["Pembaruan jelek", "Kenapa semua menu dipindah? Saya jadi bingung mencarinya."],
  ],
  outrage: [
    [
      "Keluar sendiri",
      "Sejak versi {version} aplikasi selalu keluar sendiri waktu dibuka. Tolong perbaiki!",
    ],
    ["Tidak bisa masuk", "Setelah diperbarui ke {version}, kata sandi saya tidak diterima lagi."],
    ["Tidak bisa dipakai", "Layar putih lalu tertutup. Sudah pasang ulang dua kali tetap sama."],
  ],
  more: {
    good: ["Sangat membantu.", "Terima kasih pengembang!", "Semoga makin sukses."],
    bad: ["Sangat kecewa.", "Saya cari aplikasi lain saja.", "Tolong segera diperbaiki."],
  },
  replies: ["Terima kasih atas laporannya. Versi terbaru sudah memperbaikinya."],
};
