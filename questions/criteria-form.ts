import type { Part } from "@/lib/shared/json-source/json-parts"
import type { TextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { ShapeLimits } from "./limits"

/**
 * How the form holds the criteria of one question type. `Fields` are the members that the type adds to every question of
 * the form. Indentation is that of a whole request.
 */
export interface CriteriaForm<Fields> {
  /** Returns the fields of a new question. */
  initial(): Fields
  /** The fields of a question that was read without criteria of this type. */
  absent: Fields
  /** Returns whether a stored question has these fields. */
  isStored(question: Record<string, unknown>): boolean

  /** Reads the JSON value of `criteria`. Throws `Unreadable` when the form cannot show it. */
  read(text: string, criteria: Part): Fields
  /** Returns the JSON source of `criteria`, or null for none. `isNamed`: the question remembers `criteria` among its member names. */
  write(fields: Fields, isNamed: boolean): string | null

  /** Lists the values that may be JSON, by the path of their field in the question. */
  values(fields: Fields): [field: string, value: TextOrJson][]
  /** Returns the path of the field that an error is about. `member` is its `param` after the criteria, "" for all. */
  fieldOf(fields: Fields, member: string): string
  /** Present when the criteria are a list. The field of its errors is the noun in the plural, such as `options.root`. */
  list?: { noun: string; count(fields: Fields): number; max(limits: ShapeLimits): number }
  /** What to fill in when a question has neither instructions nor criteria, for a type that needs one of them. */
  nothingToAsk?: string
  /** Present when the criteria are a list of named parts. Their fields end in `.name`. */
  named?: {
    parts(fields: Fields): { name: string }[]
    /** Returns the fields with this part only. */
    only(fields: Fields, index: number): Fields
  }
}
