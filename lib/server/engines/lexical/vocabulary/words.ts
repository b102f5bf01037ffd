/** Words without a topic, including those in which questions are phrased. */
export const STOP_WORDS =
  "a an the this that these those it its it's i i'm i've me my we our us you your he she they them their his her is are was were be been being am do does did done have has had having " +
  "will would can could should shall may might must of in on at to for from by with about as into over after before and or but if then than so because while also just there here what " +
  "which who whom whose when where why how all any each some such only own same too very s t m re ve ll d please hi hello dear regards " +
  "message text customer user state sender person author writer review ticket email document content mention mentions mentioned contain contains indicate express expresses describe " +
  "describes relate related concern concerns regard regarding want wants wanted say says said tell tells talk talking get got whether following option best fit fits category topic one two " +
  "something somebody someone anything i'd i'll we're we've you're that's let's pls u"

/** A negator reverses the four words after it, up to the next punctuation mark. */
export const NEGATORS =
  "not no never none nobody nothing neither nor cannot can't won't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't couldn't wouldn't shouldn't ain't without hardly " +
  "barely cant wont dont doesnt didnt isnt wasnt hasnt havent couldnt wouldnt shouldnt"

/** Words that strengthen the next one. */
export const INTENSIFIERS =
  "very really extremely so absolutely completely totally incredibly utterly truly simply such super most highly deeply"

/** Words that weaken the next one. */
export const SOFTENERS = "bit little slightly somewhat fairly rather quite pretty kinda partly mostly"

/** Everyday words of help desks and questions that AFINN rates although they express no sentiment. */
export const PLAIN =
  "support supports help helping please want like share care number yes no matter top reach certain increase charge charges charged pay alarm fire demand demands stop vision free number big united join joined interest grey gray fit"

/** Words that AFINN lacks or rates too low for reviews and tickets, on its scale from −5 to 5. */
export const RATED: Record<string, string> = {
  "-4": "furious outraged horrendous atrocious disgusting scandal thieves nightmare appalling abysmal despicable incompetent",
  "-3": "unhappy ridiculous unacceptable rude letdown avoid junk garbage rubbish useless pathetic lousy dreadful unbearable shoddy filthy ripoff infuriating unusable shambles farce",
  "-2": "overcooked undercooked raw soggy greasy watery tasteless dry mushy burnt refuse refused sadly overpriced broke broken faulty flimsy clumsy wobbly uncomfortable noisy dirty smelly stale cold bugs unreliable underwhelming mediocre disappointing unresponsive ignored dissatisfied joke",
  "-1": "fed late slow slower twice crashes weak thin loud tight expensive leaks unfortunately ages stopped cheap bland",
  "1": "quick quickly fast fine okay ok decent cheers solid handy works sturdy affordable reasonable smooth smoothly",
  "2": "fresh flavorful prompt helpful tender generous easy recommend exceeded comfortable cozy lovely tasty durable intuitive reliable spotless polite attentive satisfied enjoyed enjoy sturdy friendly",
  "3": "delightful lovely gorgeous thrilled stunning magical favourite favorite impeccable",
  "4": "flawless delicious outstanding superb phenomenal exceptional wow incredible perfect",
}

/** Phrases whose sentiment does not follow from their words. */
export const MOOD_PHRASES: [rating: number, phrases: string][] = [
  [
    4,
    "over the moon, in a heartbeat, (worth|loved?) every (bit|penny|cent|minute|second), like a dream, (better|best) than i (hoped|expected), exceed(s|ed) … expectations, could(n't| not) be happier, could(n't| not) recommend … more, could(n't| not) (ask|wish) for (more|better), five stars, 10/10, second to none, life saver",
  ],
  [
    2,
    "can('t|not) fault, can('t|not) complain, no complaints?, (no|never|any) (a )?(single )?(problems?|issues?|trouble), well done, good value, value for money, (buy|order|come|be) (it |here )?(back|again), (definitely|def|will|would|we'll|i'll|can't wait to) (definitely )?(be )?(go|come|going|coming) back, (must|have to|need to|gotta) (try|get|have|visit|see), highly recommend(ed)?, would (go|come|stay|order|buy) … again, happy with, sorted it out, (does|did) what it (says|should|promises), (hasn't|has not|never) let me down, pleasant(ly)? surprised?, (two|no) thumbs up, thumbs up, all good, all is well, runs? (well|smoothly), fits? well, works? (well|fine|great|perfectly)",
  ],
  [
    -2,
    "had enough, (sent|passed|bounced) from … to, not (happy|great|good|impressed), (expected|hoped for) (more|better), was hoping, (isn't|wasn't|aren't) (as|what) … (as|i), (nobody|no one|never) (answers?|replies|replied|picks up|responds|cares?), takes? longer, took (ages|forever), took too long, no (answer|reply|response|help), (second|third|fourth|fifth|2nd|3rd) (time|one|broken), (of|for) no use, didn't (care|sleep|work), doesn't work, does not work, (still|just) (waiting|nothing), fed up, sick of, tired of, too (loud|small|slow|expensive|complicated|hard|noisy|hot|cold|tight), could be better, (stopped|quit) working, stopped (charging|playing|printing)",
  ],
  [
    -4,
    "waste (of|your|my|our), never … (so|more) (bad|badly|disappointed|rude|insulted|poor|angry), (much )?better elsewhere, (fell|falls|came|falling) apart, rip( |-)?off, (never|not) … (lived|live) up, (never|not) again, zero stars, (do not|don't|never) (buy|order|go|use), (wouldn't|would not|can't|cannot) recommend, stay away, from hell, what a (joke|mess|disgrace|letdown|waste|shame), let(s|ting)? (me|us) down, (is|are|was|were) a (joke|disgrace|disaster|scam)",
  ],
]
