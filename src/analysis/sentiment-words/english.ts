// Words of praise and blame in English reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const english: SentimentWords = {
  best: `love loved loves perfect perfectly amazing awesome excellent fantastic brilliant
    outstanding superb wonderful best flawless flawlessly incredible exceptional phenomenal
    five_stars masterpiece highly_recommend can't_live_without couldn't_live_without lifesaver
    life_saver game_changer`,
  good: `good great nice cool helpful useful easy fun enjoy enjoyable enjoying enjoyed fast smooth
    smoothly recommend recommended works_well works_great works_fine works_perfectly beautiful
    beautifully reliable convenient intuitive happy like_it like_this i_like addictive addicting
    entertaining impressive pleasant satisfied user_friendly simple fine glad lovely favorite
    favourite handy clean interesting wow superb not_bad not_too_bad no_problem no_problems
    no_complaints no_issues can't_complain can't_fault worth_it well_done well_made
    well_designed keep_it_up keep_up_the_good_work helps helped can't_wait_to must_have
    pretty_good so_far_so_good solid better quick quickly comfortable relaxing cute super
    thumbs_up nothing_wrong affordable secure improved great_app good_app nice_app
    works_like_a_charm love_how so_easy very_easy easy_to_use very_helpful very_useful
    super_helpful informative educational adorable soothing motivating effortless seamless crisp
    gem saves_time saved_me spot_on top_notch second_to_none kudos bravo keep_up hooked
    enjoyable_game accurate responsive_team prompt polite courteous five_star 5_star
    well_thought delightful joy glad_i happy_with very_happy pleased thankful grateful blessed
    convenient_and trustworthy legit`,
  mildGood: "thanks thank_you thx ok okay okey decent works works_again_now please_keep hope",
  bad: `bad poor poorly slow boring annoying annoyed frustrating frustrated frustration disappointed
    disappointing disappointment crash crashes crashed crashing bug bugs buggy glitch glitches
    glitchy laggy lag lags lagging freezes freeze frozen freezing broken error errors fail fails
    failed failing failure problem problems issue issues doesn't_work does_not_work doesnt_work
    don't_work dont_work didn't_work not_working not_work won't_work wont_work stopped_working
    no_longer_works isn't_working can't_log cannot_log can't_login cannot_login can't_open
    cannot_open won't_open wont_open won't_load doesn't_load not_opening unable_to stuck hard_to
    difficult confusing complicated ugly mess misleading expensive overpriced too_many_ads
    so_many_ads too_much_ads ridiculous stupid dumb sucks suck sad unfair unreliable
    unresponsive hate worse lost uninstall uninstalled uninstalling deleted_it waste wasted
    fix_it fix_this please_fix pls_fix never_works not_good not_great not_recommend
    don't_recommend do_not_recommend not_worth don't_like do_not_like didn't_like don't_download
    do_not_download don't_buy do_not_buy rip_off ripoff spam ads_every intrusive refuse refuses
    refused ignored blocked banned charged wrong keeps_crashing kicked_out can't_even
    unacceptable low_quality needs_improvement disgusting nonsense greedy clunky cluttered
    outdated drains draining killed ruined ruin ruins missing no_way_to shame unplayable hacked
    downhill locked_out constantly_crashes crash_every keeps_freezing keeps_saying keeps_asking
    keeps_logging logs_me_out logged_me_out kicks_me kicks_me_out won't_let wont_let doesn't_let
    not_loading never_loads stopped_loading will_not not_able can't_get can't_use can't_find
    can't_access cannot_access can't_play cant_play cant_log cant_open no_sound no_audio
    no_response no_help no_support no_customer_service never_responded never_received never_got
    waiting_for give_back bring_back go_back_to change_it_back used_to_be used_to_love
    removed_the forced forces force_you forcing unwanted invasive greed money_hungry money_grab
    paywall rigged cheating cheaters unskippable constant_ads nothing_but_ads full_of_ads
    bombarded more_ads crammed laggy_and buggy_mess infuriating irritating irritated aggravating
    unhappy upset angry disgusted fed_up sick_of tired_of regret hard_to_use not_user_friendly
    unprofessional rude unhelpful deleting deleted_this refund refunded dishonest deceptive
    deceiving fake false censorship inaccurate unstable inconsistent flawed subpar mediocre lame
    meh blah fault defective corrupted lost_all lost_my loses need_to_fix needs_fixing
    needs_to_be_fixed please_fix_this what_happened why_can't why_did_you`,
  worst: `worst terrible horrible awful garbage trash scam scammers scammer fraud useless pathetic
    rubbish crap crappy shit piece_of_junk junk unusable worthless thieves steal stealing stole
    pay_to_win cash_grab joke zero_stars 0_star one_star 1_star nightmare atrocious abysmal
    appalling avoid stay_away waste_of_time waste_of_money rip_off hate_it hate_this fucking
    disgrace horrendous dreadful abomination disgraceful despicable lousy godawful worst_app
    worst_game worst_update worst_ever zero_stars_if if_i_could_give_zero no_stars
    negative_stars not_even_one_star don't_waste do_not_waste don't_bother scamming scams crooks
    fraudulent thief criminal disaster fiasco hot_garbage dumpster`,
  negators: `not no don't dont doesn't doesnt didn't didnt isn't isnt wasn't never without nothing
    hardly no_longer no_more can't cant cannot won't wont couldn't wouldn't shouldn't aren't
    ain't stopped neither nor fixed far_from`,
};
