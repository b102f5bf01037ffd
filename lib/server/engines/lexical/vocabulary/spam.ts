import type { Cue } from "../cues"

/** What unsolicited advertisements, scams and phishing say. */
export const SPAM_CUES: Cue[] = [
  [
    0.65,
    "(click|tap|press) (here|this|the link|on|below|now), claim (your|it|now), (you|u) (have|'ve|been|have been|were|are)? ?(won|been (selected|chosen)|chosen|selected|the winner), you've won, act (now|fast), limited(-| )time, free (money|spins?|gift|iphone|trial now), lottery, viagra, cialis, casino, no deposit, (work|earn|money) … (from home|sofa|couch), 100% (free|guaranteed), (risk|zero|no)(-| )(free|risk), buy followers, (real|more|new) followers, without (a )?prescription, cheap (meds|pills|viagra|watches), \\$\\$+, \\d+ ?% (off|discount), (up to|only) \\d+ ?%, (verify|confirm|update|enter|validate) your … (account|details|password|card|identity|number|bank|mailbox|payment), your (account|mailbox|card|access) (will be|has been|is) (suspended|limited|locked|closed|blocked|full), (via|through|at) this link, page 1 of google, (first|top) page of google, order (now|today), buy now, (turn|double|triple) (your|\\d+), investors? wanted, (lose|drop) \\d+ (kilos|kg|pounds|lbs), no experience (needed|required), (dear|hello) (friend|beneficiary|winner), (million|billion) (dollars|usd|euros), inherit(ance|ed), (transfer|wire) … (million|dollars|funds)",
  ],
  [
    0.6,
    "(call|txt|text|ring|dial|reply|log ?on) … \\+?\\d{4,}, \\+?\\d{4,} … (to|and) (claim|collect|win|receive), t&c'?s?, \\d+p ?(/|per )?(min|msg|minute|text|day|week)\\w*, \\d+ppm, (stop|end) (to )?\\d{4,}, (opt|opt-) ?out, to (stop|unsubscribe),? (reply|text|send|txt)\\w*, (you|u|ur|are) … entitled, ringtones?, sexy, (have|'ve|has) won, (urgent|important) … (prize|winner|attempt|mobile), (complimentary|free|bonus|cash|guaranteed) … (prize|award|gift|voucher|entry|tickets?|minutes|mins|texts?|camera|mobile|phone), free!, lucky (day|winner), no strings, (valued|loyal) (customer|member)",
  ],
  [
    0.3,
    "free, prize, award, bonus, vouchers?, https?://\\S+, www\\.\\S+, \\d{10,}, [£$€]\\d[\\d,]*, (txt|claim|dating|adult|unlimited|tones?|loans?|win), subscri(be|bed), (18|16)\\+, over 18, winners?, congrat(s|ulations), guaranteed?, crypto, bitcoin, btc, discounts?, exclusive, (special|best|great) (offer|deal)s?, deals?!, (deal|offer)s?, earn, cheap(est)?, today only, final notice, last chance, (reply|dm|contact|message) (us|me|now|for|for details), profits?, (get )?rich, followers, pills, meds, rebate, owed, (\\d+|one|two) (week|day|night|hour)s? … (\\d+|risk), only \\$?\\d+, \\w+\\.(biz|top|xyz|click|info|ru), within \\d+ ?(h|hours?), !!!+, (now|fast|free)!, designer, replica, suspended, >>, play now, discreet, (make|making) (\\S+ )?(money|cash|\\$+)",
  ],
]

/** What people who know each other, and services one uses, say. */
export const NOT_SPAM: Cue[] = [
  [
    0.5,
    "see you, attached, meeting, lunch, dinner, (mum|mom|dad|grandma|grandpa), (nothing|no action) … (to do|needed|required), if that was you, let me know, has anyone, (isn't|not) (an ad|selling|spam|advertising), simply a fan, (my|our|your) (appointment|order|booking), appointment, for sale\\?, how are you, neighbou?r, (birthday|wedding|chess|tennis|football|school|club)",
  ],
]
