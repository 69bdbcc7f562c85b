// What Vietnamese reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const vietnamese: TopicWords = {
  crash: `văng văng_ra bị_văng tự_văng văng_app thoát_ra tự_thoát bị_thoát tự_động_thoát bị_out out_ra
    tự_out sập sập_app sập_nguồn tự_tắt tự_động_tắt tắt_ngang đứng_máy bị_đứng đứng_hình bị_treo
    treo_máy đơ bị_đơ đơ_máy không_mở_được ko_mở_được không_vào_được ko_vào_được k_vào_được mở_không_lên
    mở_ko_lên vào_không_được vào_ko_được vô_không_được không_khởi_động crash tự_khởi_động khởi_động_lại`,
  bug: `lỗi bị_lỗi báo_lỗi sửa_lỗi lỗi_app khắc_phục sự_cố trục_trặc hỏng hư bug không_hoạt_động
    ko_hoạt_động không_dùng_được ko_dùng_được không_sử_dụng_được không_tải_được ko_tải_được
    không_kết_nối không_xem_được ko_xem_được không_nghe_được không_gửi_được không_lưu không_hiện
    không_hiển_thị không_nhận không_phản_hồi không_thể không_được_gì mất_dữ_liệu bị_mất chập_chờn
    loạn đen_màn_hình màn_hình_đen trắng_màn_hình không_cập_nhật_được không_load_được sai`,
  performance: `chậm chậm_chạp lag giật giật_lag giật_giật load_lâu tải_lâu tải_chậm load_chậm quá_lâu
    đợi_lâu chờ_lâu ì_ạch không_mượt mượt mượt_mà tốc_độ nặng nặng_máy tốn_dung_lượng dung_lượng
    bộ_nhớ ram cấu_hình hiệu_năng treo đứng_hình nhanh_và`,
  login: `đăng_nhập đăng_ký đăng_kí đăng_xuất mật_khẩu mã_otp otp mã_xác_nhận mã_xác_minh xác_minh
    xác_thực tài_khoản khóa_tài_khoản khoá_tài_khoản bị_khóa bị_khoá vân_tay khuôn_mặt định_danh`,
  pricing: `giá giá_cả giá_tiền tầm_giá giá_thành giá_bán đắt rẻ mắc_quá quá_mắc miễn_phí phí_cao
    thu_phí mất_phí tính_phí đáng_đồng_tiền đồng_tiền khuyến_mãi giảm_giá mã_giảm_giá voucher
    phí_ship hút_máu nạp_tiền`,
  subscription: `gói_cước gia_hạn premium vip gói_tháng hàng_tháng mỗi_tháng đăng_ký_gói hủy_gói
    hội_viên dùng_thử`,
  ads: "quảng_cáo qc qcáo ads",
  ui: `giao_diện thiết_kế thanh_công_cụ dễ_sử_dụng dễ_dùng khó_dùng khó_sử_dụng rối_mắt màu_sắc
    hình_nền chế_độ_tối phông_chữ cỡ_chữ chữ_nhỏ đồ_họa đồ_hoạ biểu_tượng thẩm_mỹ kiểu_dáng
    mẫu_mã tiện_dụng bố_cục`,
  featureRequest: `mong mong_rằng mong_là nên_có nên_thêm thêm_tính_năng thêm_chức_năng cần_thêm
    cần_có hy_vọng hi_vọng ước_gì giá_như đề_nghị góp_ý kiến_nghị bổ_sung cải_thiện cần_cải_thiện
    nâng_cấp_thêm cho_phép tùy_chọn tuỳ_chọn giá_mà phải_chi xin_hãy làm_ơn nếu_có_thêm phải_có_thêm
    không_có_tính_năng không_hỗ_trợ thiếu_tính_năng sớm_cập_nhật`,
  update: `cập_nhật update bản_mới phiên_bản bản_cập_nhật nâng_cấp up_lên bản_cũ tải_lại cài_lại
    gỡ_ra_cài_lại`,
  notifications: "thông_báo nhắc_nhở chuông_báo báo_thức tin_nhắn_đến noti",
  support: `nhân_viên tư_vấn phục_vụ hỗ_trợ chăm_sóc_khách_hàng cskh tổng_đài hotline khiếu_nại
    phản_hồi trả_lời bảo_hành đội_ngũ thái_độ dịch_vụ`,
  privacy: `bảo_mật riêng_tư quyền_riêng_tư dữ_liệu_cá_nhân thông_tin_cá_nhân quyền_truy_cập lộ_thông_tin
    theo_dõi_người_dùng nghe_lén hack bị_hack virus`,
  battery: `pin hao_pin tụt_pin tuột_pin tốn_pin nóng_máy máy_nóng sạc nóng_lên bị_nóng`,
  payment: `thanh_toán hoàn_tiền trừ_tiền mất_tiền giao_dịch chuyển_khoản chuyển_tiền rút_tiền thẻ_tín_dụng
    ví_điện_tử hóa_đơn hoá_đơn trả_tiền nạp_thẻ ngân_hàng`,
  content: `nội_dung phim bài_hát nhạc video tin_tức bài_viết truyện tập_phim bài_học từ_vựng khóa_học
    khoá_học nhân_vật nhiệm_vụ cốt_truyện màn_chơi sự_kiện kênh tập_mới`,
  praise: `tuyệt_vời rất_tốt quá_tốt rất_hay quá_hay rất_hài_lòng hài_lòng tốt_lắm hay_lắm xuất_sắc
    hoàn_hảo ứng_dụng_tốt app_tốt rất_thích quá_tuyệt quá_đỉnh 5_sao năm_sao rất_hữu_ích rất_tiện
    rất_đẹp rất_ok rất_ngon game_hay app_hay`,
};
