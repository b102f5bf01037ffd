/** Clusters of the world outside a help desk, written as those in `customer-service.ts`. */
export const WORLD: Record<string, string> = {
  insult: "insult insulting idiot stupid moron dumb loser pathetic fool trash imbecile jerk abusive harassment abuse",
  threat: "threat threaten threatening kill hurt attack bomb shoot violence violent murder destroy weapon",
  spam: "spam lottery winner prize viagra casino click_here free_money crypto_giveaway limited_offer promotion unsubscribe_now congratulations_won",
  sport:
    "sport sports football soccer basketball tennis team match goal league player coach tournament championship olympics score_goal game_win striker",
  politics:
    "politics political election vote voter president government parliament senate minister party policy campaign congress mayor",
  business:
    "business company market stock stocks shares investor revenue profit merger acquisition earnings economy economic finance financial startup bank inflation",
  technology:
    "technology tech software computer smartphone phone ai chip processor internet gadget robot startup app laptop device algorithm",
  science:
    "science scientist research researcher study physics biology chemistry experiment planet space telescope nasa discovery species climate",
  health:
    "health medical doctor hospital patient disease symptom medicine vaccine pain fever headache treatment clinic nurse illness diet dentist",
  entertainment:
    "entertainment movie film music actor actress singer album concert tv show celebrity series hollywood band song",
  travel:
    "travel trip flight hotel airport booking reservation vacation holiday luggage passport tourist destination airline train",
  food: "food restaurant meal eat pizza dish recipe cook cooking chef taste tasty delicious lunch dinner breakfast menu kitchen bakery bread soup",
  weather: "weather rain storm snow sunny temperature forecast wind hurricane flood",
  education:
    "education school teacher student university college class course lesson exam homework learn learning degree",
  animal: "animal dog cat puppy kitten bird horse fish pet wildlife lion",
  vehicle: "vehicle car truck motor engine drive driver bike bicycle motorcycle tire brake garage",
  home: "home house apartment rent furniture room plumber plumbing leak roof landlord tenant property",
}
