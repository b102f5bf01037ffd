/** What the window hears when an answer has come into sight. */
export const ANSWER_READ = "svc:answer-read"

/** Tells whoever keeps the first steps that an answer is on the screen. */
export const announceAnswerRead = (): void => {
  window.dispatchEvent(new Event(ANSWER_READ))
}
