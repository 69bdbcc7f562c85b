// What English reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const english: TopicWords = {
  crash: `crash* force_close* force_closes closes_itself closes_by_itself keeps_closing shuts_down
    shut_down quits_unexpectedly kicks_me_out force_stop* closes_out closing_out shuts_off
    shutting_down shuts_itself shut_itself keep_closing keep_close stops_responding
    stopped_responding stop_respond not_respond* isn't_responding kick_me_out kicked_me_out
    kicks_you_out boots_me_out booted_me_out throws_me_out unfortunately_stop*
    unfortunately_have_stop* has_stopped have_stopped keeps_stopping keep_stopping keep_stop
    be_stop won't_open wont_open will_not_open will_not_even_open doesn't_open does_not_open
    do_not_open not_opening be_not_open won't_launch won't_start will_not_start closes_on_me
    close_itself close_by_itself suddenly_clos* clos_automatically closes_automatically
    close_automatically auto_close* can't_open_the_app cannot_open_the_app can_not_open_the_app
    never_opens cant_open_app clash clashes clashing closes_immediately closes_right_away
    exits_by_itself can't_open_app can't_open_this_app cannot_open_app cannot_open_this_app
    can_not_open_app can_not_open_this_app can't_even_open cannot_even_open app_stopped_working
    app_has_stopped app_suddenly_stopped app_keeps_stopping stop_work stopped_working_after
    has_stopped_working have_stop_work restarts_itself restarts_by_itself restart_by_itself
    keeps_restarting back_to_my_home_screen back_to_home_screen back_to_the_home_screen
    stuck_on_loading stuck_at_loading stuck_on_the_loading stuck_on_welcome stuck_on_the_splash
    stuck_on_splash hangs_up hang_up keeps_hanging not_launch* won't_even_open not_be_open
    not_even_open freez* frozen hangs hang hanging welcome_screen welcome_page get_closed
    gets_closed app_close app_closes closes_the_app close_the_app close_my_app closes_my_app
    closed_by_itself goes_white go_white just_go_white just_goes_white stick_at stick_on
    stuck_at_the stuck_on_a non_responsive nonresponsive not_responsive force_to_close
    shut_itself_down kicks_you_off kicks_me_off screen_freez* can't_open_it cannot_open_it
    can_not_open_it doesn't_even_open won't_load_at_all wont_start wont_launch fails_to_open
    fails_to_launch fails_to_start refuses_to_open unable_to_open stops_itself dies_on_me
    exits_itself exit_itself exits_automatically exit_automatically goes_back_to_home
    go_back_to_home goes_to_home_screen`,
  bug: `problem problems issue issues doesn't_sync does_not_sync not_syncing won't_sync
    stopped_syncing fail fails failed unable_to won't wont fix_this fix_it please_fix pls_fix
    not_showing doesn't_show does_not_show not_recogni* doesn't_recogni* no_longer_works never_works
    keeps_saying disconnect* unusable blank_screen black_screen bug bugs buggy glitch* error errors
    not_working doesn't_work doesnt_work does_not_work stopped_working broken malfunction*
    isn't_working can't_open cant_open cannot_open can_not_open couldn't_open can't_load cant_load
    cannot_load can_not_load couldn't_load can't_use cant_use cannot_use can_not_use couldn't_use
    can't_see cant_see cannot_see can_not_see couldn't_see can't_get cant_get cannot_get can_not_get
    couldn't_get can't_find cant_find cannot_find can_not_find couldn't_find can't_play cant_play
    cannot_play can_not_play couldn't_play can't_watch cant_watch cannot_watch can_not_watch
    couldn't_watch can't_access cant_access cannot_access can_not_access couldn't_access can't_send
    cant_send cannot_send can_not_send couldn't_send can't_upload cant_upload cannot_upload
    can_not_upload couldn't_upload can't_download cant_download cannot_download can_not_download
    couldn't_download can't_connect cant_connect cannot_connect can_not_connect couldn't_connect
    can't_sync cant_sync cannot_sync can_not_sync couldn't_sync can't_save cant_save cannot_save
    can_not_save couldn't_save can't_delete cant_delete cannot_delete can_not_delete couldn't_delete
    can't_post cant_post cannot_post can_not_post couldn't_post can't_install cant_install
    cannot_install can_not_install couldn't_install can't_update cant_update cannot_update
    can_not_update couldn't_update can't_change cant_change cannot_change can_not_change
    couldn't_change can't_add cant_add cannot_add can_not_add couldn't_add can't_remove cant_remove
    cannot_remove can_not_remove couldn't_remove can't_view cant_view cannot_view can_not_view
    couldn't_view can't_hear cant_hear cannot_hear can_not_hear couldn't_hear can't_listen
    cant_listen cannot_listen can_not_listen couldn't_listen can't_click cant_click cannot_click
    can_not_click couldn't_click can't_type cant_type cannot_type can_not_type couldn't_type
    can't_scroll cant_scroll cannot_scroll can_not_scroll couldn't_scroll can't_share cant_share
    cannot_share can_not_share couldn't_share can't_search cant_search cannot_search can_not_search
    couldn't_search can't_cancel cant_cancel cannot_cancel can_not_cancel couldn't_cancel can't_edit
    cant_edit cannot_edit can_not_edit couldn't_edit can't_read cant_read cannot_read can_not_read
    couldn't_read can't_receive cant_receive cannot_receive can_not_receive couldn't_receive
    can't_make cant_make cannot_make can_not_make couldn't_make can't_do cant_do cannot_do
    can_not_do couldn't_do can't_even_open cant_even_open cannot_even_open can't_even_use
    cant_even_use cannot_even_use can't_even_log cant_even_log cannot_even_log can't_even_load
    cant_even_load cannot_even_load can't_even_get cant_even_get cannot_even_get can't_even_play
    cant_even_play cannot_even_play can't_even_watch cant_even_watch cannot_even_watch
    can't_even_see cant_even_see cannot_even_see won't_open wont_open doesn't_open doesnt_open
    will_not_open does_not_open don't_open do_not_open didn't_open not_open won't_load wont_load
    doesn't_load doesnt_load will_not_load does_not_load don't_load do_not_load didn't_load not_load
    won't_start wont_start doesn't_start doesnt_start will_not_start does_not_start don't_start
    do_not_start didn't_start not_start won't_connect wont_connect doesn't_connect doesnt_connect
    will_not_connect does_not_connect don't_connect do_not_connect didn't_connect not_connect
    wont_sync doesnt_sync will_not_sync don't_sync do_not_sync didn't_sync not_sync won't_work
    wont_work will_not_work don't_work do_not_work didn't_work not_work won't_play wont_play
    doesn't_play doesnt_play will_not_play does_not_play don't_play do_not_play didn't_play not_play
    won't_save wont_save doesn't_save doesnt_save will_not_save does_not_save don't_save do_not_save
    didn't_save not_save won't_update wont_update doesn't_update doesnt_update will_not_update
    does_not_update don't_update do_not_update didn't_update not_update won't_download wont_download
    doesn't_download doesnt_download will_not_download does_not_download don't_download
    do_not_download didn't_download not_download won't_install wont_install doesn't_install
    doesnt_install will_not_install does_not_install don't_install do_not_install didn't_install
    not_install won't_let wont_let doesn't_let doesnt_let will_not_let does_not_let don't_let
    do_not_let didn't_let not_let won't_allow wont_allow doesn't_allow doesnt_allow will_not_allow
    does_not_allow don't_allow do_not_allow didn't_allow not_allow won't_send wont_send doesn't_send
    doesnt_send will_not_send does_not_send don't_send do_not_send didn't_send not_send
    won't_respond wont_respond doesn't_respond doesnt_respond will_not_respond does_not_respond
    don't_respond do_not_respond didn't_respond not_respond won't_recogni* wont_recogni*
    doesnt_recogni* will_not_recogni* does_not_recogni* don't_recogni* do_not_recogni*
    didn't_recogni* won't_accept wont_accept doesn't_accept doesnt_accept will_not_accept
    does_not_accept don't_accept do_not_accept didn't_accept not_accept won't_show wont_show
    doesnt_show will_not_show don't_show do_not_show didn't_show not_show can_no_longer
    no_longer_work* no_longer_open* no_longer_load* no_longer_able not_able_to isn't_able_to
    wasn't_able_to be_unable be_not_work dosen't dosent_work lost_my lost_all deleted_my erased_my
    wrong inaccurate incorrect incorrectly inconsistent unreliable not_accurate isn't_accurate
    disappear* vanish* keeps_asking keeps_telling keeps_giving keeps_logging keeps_going
    keeps_turning keeps_losing keeps_disconnecting keeps_resetting keeps_showing keep_getting
    keeps_loading stuck stopped_tracking stops_tracking stopped_counting doesn't_track not_tracking
    doesn't_count not_counting stops_working stop_working stop_work quit_working quits_working
    ceased stopped_sending stopped_receiving won't_pair doesn't_pair unpair* drops_connection
    loses_connection lost_connection no_connection connection_lost connection_issue* out_of_order
    under_maintenance maintenance defective faulty unstable not_functional nonfunctional
    non_functional dysfunctional isn't_functioning not_functioning doesn't_function useless_since
    messed_up screwed_up mess_up messes_up corrupt* duplicat* not_loading isn't_loading not_updating
    isn't_updating not_saving isn't_syncing syncing_issue* never_loads never_sync* refuses_to
    fix_the fix_your fix_that fixed_asap get_it_fixed needs_fixing need_fixing needs_to_be_fixed
    please_repair resolve_this trouble troubles hiccup* goes_blank went_blank blank_page
    white_screen something_went_wrong try_again_later no_sound no_audio audio_cuts out_of_sync
    doesn't_even won't_even will_not_even can't_seem_to half_the_time_it reset_itself resets_itself
    randomly reinstall* re-install* uninstalled_and`,
  performance: `slow slowly lag laggy lags lagging loading_forever takes_forever unresponsive sluggish
    performance stutter* won't_load take_forever taking_forever takes_so_long take_so_long
    takes_too_long take_too_long takes_ages takes_a_long_time take_long_time takes_years
    takes_minutes loading_time* load_time* loading_screen* slowed slower so_slow buffer* laggs
    latency delay delays delayed crawls unresponsive_and memory_hog ram storage_space
    takes_up_space too_much_space space_on_my_phone not_smooth choppy jerky fps frame_rate
    low_speed poor_speed very_heavy take_years take_year take_days takes_days take_hours
    takes_hours hours_to takes_time take_time take_so_much_time takes_so_much_time
    take_too_much_time takes_too_much_time takes_a_while take_a_while lot_of_time_to
    minutes_to_load seconds_to_load minutes_to_open seconds_to_open long_to_load long_to_open
    long_time_to_load so_long_to eats_ram uses_too_much_data high_cpu memory_usage resource_hog`,
  login: `login log_in logging_in logged_out log_out sign_in signing_in signin password
    verification_code otp two_factor captcha sign_up locked_out can't_log log_on logging_on log_back
    sign_back login_page logged_me_out logs_me_out signed_out signed_me_out sign_out sign_me
    password* passcode username user_name credentials authenticat* verify verification two_step 2fa
    face_id fingerprint biometric* one_time_code account_was_disabled account_was_suspended
    account_suspended account_disabled disabled_my_account suspended_my_account account_got
    account_has_been account_is_restricted account_was_banned banned_my_account deleted_my_account
    banned_for_no got_banned get_banned shadowbanned hacked my_account_back locked_me_out
    lock_me_out recover_my_account access_my_account create_an_account create_account register
    registration can't_login cant_login cannot_login re-login relogin`,
  pricing: `price prices pricing expensive overpriced too_costly cheap cheaper pricey cost costs
    free_version affordable paywall pay_to_win p2w pay_to_play money_grab cash_grab greedy
    worth_the_money waste_of_money for_free free_to_play in_app_purchase* microtransaction*
    price_increase* too_much_money costs_too charges_too rip_off ripoff fee fees discount* coupon*
    spend_money spend_real_money real_money paid_version full_version pay_for_it have_to_pay
    want_you_to_pay make_you_pay lower_the`,
  subscription: `subscription* subscrib* free_trial trial auto_renew* renewal premium monthly_fee
    membership unsubscrib* cancel_my cancel_subscription auto_renew auto-renew* monthly_charge
    annual_fee yearly_fee month_free pro_version pay_monthly per_month a_month per_year membership*
    family_plan`,
  ads: `ad ads advert* adverts commercials popups pop_ups advertis* commercial pop_up popup pop-up
    pop-ups sponsored promo_videos spam_ads too_many_ads no_ads ad_free ad-free forced_ads`,
  ui: `ui ux interface design layout navigation dark_mode font user_friendly redesign*
    look_and_feel graphics graphic visuals visually artwork looks_great look_great looks_good
    looks_nice looks_like_a beautiful_design gui user_experience easy_to_use easy_to_navigate
    hard_to_use difficult_to_use easier_to_use simple_to_use ease_of_use easy_to_understand
    easy_to_read hard_to_read hard_to_find hard_to_navigate difficult_to_navigate confusing
    clunky cluttered intuitive unintuitive not_intuitive counterintuitive cumbersome complicated
    aesthetic* animation animations screen_size menu menus icon icons theme themes color_scheme
    colours colors widget widgets landscape portrait_mode full_screen fullscreen text_size
    text_too_small fonts scrolling scroll home_screen homescreen toolbar tab_bar tabs
    user-friendly userfriendly nicely_designed well_designed poorly_designed badly_designed
    look_of appearance too_small too_dark too_bright light_mode night_mode old_layout new_layout
    new_look old_look ugly gorgeous good_looking good-looking sounds_are cute dashboard`,
  featureRequest: `wish it_would_be if_only missing should_have should_be_able option_to
    ability_to the_ability allow_us would_like need_to_add needs_to_have please_allow please_include
    include_a it_needs suggestion suggest hope_you hoping could_be_better lacks lack_of add_more
    please_add add_a add_an please_make please_bring would_be_nice would_be_great would_be_good
    i_wish wish_there wish_you wish_it should_add need_an_option would_like_to_see would_love
    feature_request missing_feature bring_back could_you_add needs_a would_be_awesome
    would_be_helpful would_be_useful would_be_perfect would_be_even_better would_be_cool
    would_be_better would_be_ideal would_be_amazing would_make_it_better be_nice_if be_great_if
    be_better_if be_good_if be_helpful_if be_cool_if i'd_like i'd_love i'd_prefer would_prefer
    would_be_5_stars no_option no_way_to there_is_no_way there's_no_way there_should_be should_be_an
    should_let should_allow should_include should_be_possible should_make needs_an need_an need_a
    needs_more need_more more_options more_features few_more wish_i_could wish_they would_also_like
    can_you_add can_you_please can_you_make could_you_make can_we_get can_we_have can_you_guys
    please_give please_let please_consider please_provide please_support please_implement please_put
    please_update_the please_change please_improve please_bring_back give_us let_us let_me_choose
    allow_users why_can't_we why_not_have no_support_for doesn't_support does_not_support
    not_supported isn't_supported not_compatible incompatible compatible_with compatibility
    not_available_in unavailable_in only_thing_missing what's_missing also_missing lacking
    feature_that features_that feature_to like_the_option the_option_to an_option have_the_option
    ability my_suggestion suggestions one_request only_request request improvement*
    room_for_improvement could_use could_be_improved could_improve integration_with integrate*
    support_for sync_with_other implement in_the_future future_update next_update if_you_could
    if_you_can if_they_could if_it_could if_there_was hopefully_they hope_they hope_to_see
    want_to_see love_to_see like_to_see like_to_be_able be_able_to_add bring_it_back put_it_back
    change_it_back go_back_to_the give_me_the_option`,
  update: `update updates updated updating new_version latest_version last_version upgraded
    upgrade upgrades newest_version recent_version old_version previous_version older_version
    latest_release this_version version_of_the_app ever_since_the roll_back rollback can't_download
    cannot_download won't_download not_download download_again`,
  notifications: `notification* push_message* alerts reminder* notified notify alarm alarms alert
    push_alerts badge_count notif notifs`,
  support: `support_is customer_service customer_support support_team tech_support help_desk
    customer_care no_reply no_response never_replied contacted_support customer_support_is no_help
    help_center contact_us contacted_them emailed_them emailed_support e-mailed no_one_responds
    nobody_responds never_responded don't_respond no_answer no_reply_from unhelpful helpdesk
    call_center phone_support live_chat support_ticket ticket representative* agent agents
    developer_response developers_respond devs_are responsive_to reached_out contacting
    developer_support wrote_to_them reply_to response_from support_was`,
  privacy: `privacy personal_data my_data tracking spying spy spyware data_collection collects_data
    sell_my_data sells_your_data permissions permission permissions_to private_information
    personal_information my_information private_data location_data my_location track_me
    tracks_you tracks_your invade invasive security_breach data_breach steal*_my steals_your
    stealing_data sells_data selling_data gdpr terms_of_service my_contacts
    access_to_my_contacts access_to_contacts listens_to_you listening_to_me malware virus
    security_risk not_secure unsafe identity big_brother data_mining`,
  battery: `battery overheat* drains_my drains_the heats_up drains_battery battery_drain
    power_hungry drains_so overheats heating_up phone_hot gets_hot my_phone_hot drain_my
    phone_battery`,
  payment: `payment payments refund* charged charge charges billing credit_card debit_card
    transaction* paypal money_back pay_with checkout paid_for pay_my make_a_payment bank_account
    my_card gift_card* double_charge* charged_twice charged_me charging_me took_my_money
    take_my_money my_money stole_my_money get_my_money money_was purchase purchases purchased
    buy_coins deposit* withdraw* wallet transfer_money bill_payment invoice receipt`,
  content: `content articles videos movies songs music levels episodes lessons recipes news stories
    books catalog catalogue library story storyline story_line characters character events event
    gameplay game_play quest quests mission missions puzzle puzzles challenge challenges
    challenging mini_games minigame* chapters chapter maps tournament* world worlds rewards loot
    weapons skins heroes collection bosses boss_fight* things_to_do something_to_do to_do_every
    repetitive grind grinding grindy strategy variety progression posts reels feed series
    channels channel podcast podcasts song album albums playlist playlists workouts exercises
    courses programs programming topics censor* censorship misinformation moderat*
    community_guidelines inappropriate_content free_speech algorithm comments selection
    matchmaking opponents cheaters hackers battles battle combat team_goals goals_to
    new_additions more_additions replay_value replayab* what_is_next nothing_else_to_do end_game
    endgame additional_content new_content more_content daily_tasks leaderboard*`,
  praise: `love_this love_it great_app best_app amazing awesome excellent perfect fantastic
    love_the great_game best_game brilliant good_app nice_app wonderful good_job i_love love_how
    love_playing really_enjoy best_ever highly_recommend must_have super_useful very_useful
    very_helpful very_good great_work works_great works_perfectly works_well outstanding superb
    love_using favorite_app favourite_app five_stars 5_stars well_done flawless`,
};
