// Words of praise and blame in Vietnamese reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const vietnamese: SentimentWords = {
  best: `tuyệt tuyệt_vời quá_tuyệt rất_tốt quá_tốt rất_đẹp rất_ok quá_ok rất_hài_lòng rất_thích
    rất_hay rất_ngon quá_ngon rất_mượt rất_ổn hoàn_hảo xuất_sắc đỉnh tuyệt_đỉnh đỉnh_cao số_một
    xịn siêu_mượt siêu_đẹp cực_kỳ_tốt cực_tốt yêu_thích rất_đáng đáng_đồng_tiền khỏi_chê khỏi_phải_chê không_phải_chê không_có_gì_phải_chê không_chê
    không_chê_vào_đâu miễn_chê chẳng_có_gì_để_chê năm_sao 5_sao`,
  good: `tốt đẹp mượt mượt_mà ngon ổn ổn_định thích hài_lòng tiện_lợi thuận_lợi thuận_tiện
    hữu_ích bổ_ích dễ_dùng dễ_sử_dụng dễ_thương nhiệt_tình chu_đáo tận_tình tận_tâm vui_vẻ lịch_sự
    thân_thiện pin_trâu trâu nhanh nhanh_chóng nhạy sắc_nét nét mạnh mạnh_mẽ bền khỏe khoẻ sang_trọng
    đáng_mua đáng_tiền nên_mua phù_hợp vừa_ý ưng ưng_ý thoải_mái ủng_hộ tin_tưởng uy_tín
    chất_lượng đáng_giá cảm_ơn_rất nhiều_tính_năng hấp_dẫn thú_vị giải_trí_tốt êm mát rẻ giá_rẻ
    hợp_lý ok ổn_áp ngon_lành không_lỗi không_bị_lỗi chưa_thấy_lỗi không_lag không_bị_lag
    không_nóng không_giật không_có_gì_để_chê chưa_có_gì_để_chê không_tệ giúp_ích giúp_tôi vui
    không_làm_thất_vọng miễn_phí không_giật tạm_ổn khá_ổn khá_tốt xứng_đáng chuyên_nghiệp`,
  mildGood: "cảm_ơn cám_ơn tạm_được được tạm bình_thường hy_vọng mong",
  bad: `kém tệ chán bị lỗi bị_lỗi đơ lag giật giật_lag đứng_máy treo chậm chậm_chạp yếu nóng
    nóng_máy mờ xấu rè thua tụt tuột tụt_pin hao_pin hao tốn_pin nhanh_hết_pin mau_hết_pin
    hết_pin_nhanh khó_chịu khó_sử_dụng khó_dùng bực bực_mình bất_tiện không_tốt ko_tốt k_tốt
    không_đẹp không_thích không_hài_lòng chưa_hài_lòng chưa_ổn không_ổn ko_ổn chưa_tốt
    không_mượt không_được ko_được không_dùng_được không_vào_được ko_vào_được không_mở_được
    không_thể không_hoạt_động không_tải_được không_đăng_nhập_được không_nhận không_nên_mua
    ko_nên_mua không_nên không_đáng đừng_mua đừng_tải gỡ xóa_app thoát_ra tự_thoát văng
    bị_văng văng_ra tự_tắt tắt_nguồn sập sập_nguồn khởi_động_lại tự_khởi_động chập_chờn
    loạn_cảm_ứng liệt nhảy_loạn lung_tung quảng_cáo_nhiều nhiều_quảng_cáo quá_nhiều_quảng_cáo
    toàn_quảng_cáo đắt mắc_quá giá_cao hối_hận hối_tiếc buồn nản ức_chế rắc_rối phiền phức_tạp
    rườm_rà khắc_phục sửa_lỗi sai_lầm sai mất_thời_gian tốn_thời_gian phí phiền_phức hư hỏng
    cùi lởm ồn nhược_điểm khuyết_điểm điểm_trừ tiếc đáng_tiếc chỉ_tội mỗi_tội thiếu hạn_chế
    không_hỗ_trợ trừ_sao trừ_1_sao chưa_được cần_cải_thiện cần_khắc_phục dở`,
  worst: `thất_vọng quá_thất_vọng quá_tệ rất_tệ tồi tồi_tệ quá_kém quá_chán rất_chán rác rác_rưởi
    lừa_đảo lừa vô_dụng kinh_khủng quá_đắt hút_máu ăn_cắp không_ra_gì tệ_hại tệ_nhất
    quá_lag lag_kinh ức_chế_vãi phí_tiền mất_tiền_oan sai_lầm_khi_mua 1_sao vứt
    vứt_đi cực_kỳ_tệ thảm_họa`,
  negators: "không ko chẳng chả chưa đừng hết k hok hông",
};
