// What English reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const english: TopicWords = {
  crash: `crash* force_close* force_closes closes_itself closes_by_itself keeps_closing shuts_down
    shut_down quits_unexpectedly kicks_me_out force_stop*`,
  bug: `problem problems issue issues doesn't_sync does_not_sync not_syncing won't_sync
    stopped_syncing fail fails failed unable_to won't wont fix_this fix_it please_fix pls_fix
    not_showing doesn't_show does_not_show not_recogni* doesn't_recogni* no_longer_works
    never_works keeps_saying disconnect* unusable blank_screen black_screen bug bugs buggy
    glitch* error errors not_working doesn't_work doesnt_work does_not_work stopped_working
    broken malfunction* isn't_working`,
  performance: `slow slowly lag laggy lags lagging freez* frozen loading_forever takes_forever
    unresponsive sluggish performance hangs stutter* won't_load`,
  login: `login log_in logging_in logged_out log_out sign_in signing_in signin password
    verification_code otp two_factor captcha sign_up locked_out can't_log`,
  pricing: `price prices pricing expensive overpriced too_costly cheap cheaper pricey cost costs
    free_version affordable paywall`,
  subscription: `subscription* subscrib* free_trial trial auto_renew* renewal premium monthly_fee
    membership`,
  ads: "ad ads advert* adverts commercials popups pop_ups",
  ui: `ui ux interface design layout navigation dark_mode font user_friendly button buttons
    redesign* look_and_feel`,
  featureRequest: `wish it_would_be if_only missing should_have should_be_able option_to ability_to
    the_ability allow_us would_like need_to_add needs_to_have please_allow please_include
    include_a it_needs suggestion suggest hope_you hoping could_be_better lacks lack_of
    add_more please_add add_a add_an please_make please_bring would_be_nice would_be_great
    would_be_good i_wish wish_there wish_you wish_it should_add need_an_option
    would_like_to_see would_love feature_request missing_feature bring_back could_you_add
    needs_a`,
  update: "update updates updated updating new_version latest_version last_version",
  notifications: "notification* push_message* alerts reminder*",
  support: `support_is customer_service customer_support support_team tech_support help_desk
    customer_care no_reply no_response never_replied contacted_support support`,
  privacy: `privacy personal_data my_data tracking spying spy spyware data_collection collects_data
    sell_my_data sells_your_data permissions`,
  battery: "battery overheat* drains_my drains_the heats_up",
  payment: `payment payments refund* charged charge charges billing credit_card debit_card
    transaction* paypal money_back pay_with checkout`,
  content: `content articles videos movies songs music levels episodes lessons recipes news stories
    books catalog catalogue library`,
  praise: `love_this love_it great_app best_app amazing awesome excellent perfect fantastic love_the
    great_game best_game brilliant good_app nice_app wonderful good_job`,
};
