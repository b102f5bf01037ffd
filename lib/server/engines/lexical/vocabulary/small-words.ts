/** Words that carry no topic; what a question is wrapped in is among them. */
export const STOP_WORDS =
  "a an the this that these those it its it's i i'm i've me my we our us you your he she they them their his her is are was were be been being am do does did done have has had having " +
  "will would can could should shall may might must of in on at to for from by with about as into over after before and or but if then than so because while also just there here what " +
  "which who whom whose when where why how all any each some such only own same too very s t m re ve ll d please hi hello dear regards " +
  "message text customer user state sender person author writer review ticket email document content mention mentions mentioned contain contains indicate express expresses describe " +
  "describes relate related concern concerns regard regarding want wants wanted say says said tell tells talk talking get got whether following option best fit fits category topic one two " +
  "something somebody someone anything i'd i'll we're we've you're that's let's pls u"

/** A negator turns the four words after it, up to the next punctuation mark. */
export const NEGATORS =
  "not no never none nobody nothing neither nor cannot can't won't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't couldn't wouldn't shouldn't ain't without hardly " +
  "barely cant wont dont doesnt didnt isnt wasnt hasnt havent couldnt wouldnt shouldnt"

/** They make the next word louder. */
export const INTENSIFIERS =
  "very really extremely so absolutely completely totally incredibly utterly truly simply such super most highly deeply"

/** They make the next word quieter. */
export const SOFTENERS = "bit little slightly somewhat fairly rather quite pretty kinda partly mostly"
