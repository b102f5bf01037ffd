import { replaceModel } from "./replace-model"

interface JsonText {
  /** As it stands in the JSON view. */
  text: string
  /** The text that the form was read from; null where it never was. */
  read: string | null
  /** What the form wrote for that text. */
  written: string
}

/** The JSON view's text once the form writes `now`: spelled as before where only the model changed. */
export function jsonAfterForm({ text, read, written }: JsonText, now: string, model: string): string {
  const isOnlyModel = text === read && replaceModel(written, model) === now
  return isOnlyModel ? replaceModel(text, model) : now
}
