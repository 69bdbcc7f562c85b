// Words of praise and blame in English reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const english: SentimentWords = {
  best: `love loved loves perfect perfectly amazing awesome excellent fantastic brilliant
    outstanding superb wonderful best flawless flawlessly incredible exceptional phenomenal
    five_stars masterpiece highly_recommend can't_live_without couldn't_live_without lifesaver
    life_saver game_changer`,
  good: `good great nice cool helpful useful easy fun enjoy enjoyable enjoying enjoyed fast smooth
    smoothly recommend recommended works_well works_great works_fine works_perfectly beautiful
    beautifully reliable convenient intuitive happy like_it like_this i_like addictive
    addicting entertaining impressive pleasant satisfied user_friendly simple fine glad lovely
    favorite favourite handy clean interesting wow superb not_bad not_too_bad no_problem
    no_problems no_complaints no_issues can't_complain can't_fault worth_it well_done
    well_made well_designed keep_it_up keep_up_the_good_work helps helped can't_wait_to
    must_have pretty_good so_far_so_good solid better quick quickly comfortable relaxing cute
    super thumbs_up nothing_wrong affordable secure improved`,
  mildGood: "thanks thank_you thx ok okay okey decent works works_again_now please_keep hope",
  bad: `bad poor poorly slow boring annoying annoyed frustrating frustrated frustration
    disappointed disappointing disappointment crash crashes crashed crashing bug bugs buggy
    glitch glitches glitchy laggy lag lags lagging freezes freeze frozen freezing broken error
    errors fail fails failed failing failure problem problems issue issues doesn't_work
    does_not_work doesnt_work don't_work dont_work didn't_work not_working not_work won't_work
    wont_work stopped_working no_longer_works isn't_working can't_log cannot_log can't_login
    cannot_login can't_open cannot_open won't_open wont_open won't_load doesn't_load
    not_opening unable_to stuck hard_to difficult confusing complicated ugly mess misleading
    expensive overpriced too_many_ads so_many_ads too_much_ads ridiculous stupid dumb sucks
    suck sad unfair unreliable unresponsive hate worse lost uninstall uninstalled uninstalling
    deleted_it waste wasted fix_it fix_this please_fix pls_fix never_works not_good not_great
    not_recommend don't_recommend do_not_recommend not_worth don't_like do_not_like
    didn't_like don't_download do_not_download don't_buy do_not_buy rip_off ripoff spam
    ads_every intrusive refuse refuses refused ignored blocked banned charged wrong
    keeps_crashing kicked_out can't_even unacceptable low_quality needs_improvement disgusting
    nonsense greedy clunky cluttered outdated drains draining killed ruined ruin ruins missing
    no_way_to shame unplayable hacked downhill locked_out`,
  worst: `worst terrible horrible awful garbage trash scam scammers scammer fraud useless pathetic
    rubbish crap crappy shit piece_of_junk junk unusable worthless thieves steal stealing
    stole pay_to_win cash_grab joke zero_stars 0_star one_star 1_star nightmare atrocious
    abysmal appalling avoid stay_away waste_of_time waste_of_money rip_off hate_it hate_this
    fucking disgrace`,
  negators: `not no don't dont doesn't doesnt didn't didnt isn't isnt wasn't never without nothing
    hardly no_longer no_more can't cant cannot won't wont couldn't wouldn't shouldn't aren't
    ain't stopped neither nor fixed far_from`,
};
