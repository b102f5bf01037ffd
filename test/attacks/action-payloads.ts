/** The body of a server action as a client sends it. */
export interface ActionPayload {
  name: string
  /** The value of `Next-Action`. Without it, the body is a form of a browser without JavaScript, which names the action itself. */
  action?: string
  type: string
  body: string
}

const BOUNDARY = "xxBoundaryxx"
const FORM = `multipart/form-data; boundary=${BOUNDARY}`
const TEXT = "text/plain;charset=UTF-8"

/** Returns names and values, which alternate, as a form. A name can end its own quotes, to give its field a file name. */
function formOf(fields: string[]): string {
  const parts = fields.flatMap((name, i) =>
    i % 2 ? [] : [`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${fields[i + 1]}\r\n`],
  )
  return `${parts.join("")}--${BOUNDARY}--\r\n`
}

const DEEP = 10_000

const TEXTS = [
  "",
  " ",
  "not JSON",
  "{",
  "[1",
  "[][]",
  "[1,]",
  "\ufeff[]",
  "null",
  "true",
  "1",
  '"a"',
  "{}",
  '{"0":{},"length":1}',
  "[1,2,3]",
  `[${"1,".repeat(2_000)}1]`,
  '["$"]',
  '["$0"]',
  '["$1"]',
  '["$zz"]',
  '["$0:0"]',
  '["$0:__proto__"]',
  '[{"a":"$0:constructor:prototype"}]',
  '["$1:then:constructor"]',
  '["$@0"]',
  '["$@1"]',
  '["$h0"]',
  '["$F1"]',
  '["$Q1"]',
  '["$W0"]',
  '["$i1"]',
  '["$T"]',
  '["$B1"]',
  '["$A1"]',
  '["$o1"]',
  '["$R1"]',
  '["$r1"]',
  '["$X1"]',
  '["$x1"]',
  '["$nabc"]',
  `["$n${"9".repeat(301)}"]`,
  '["$K"]',
  '[{"a":[{"b":"$2"}]}]',
  `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`,
  `[${'{"a":'.repeat(DEEP / 2)}1${"}".repeat(DEEP / 2)}]`,
]

/** What the form of Next's client may hold. */
const FIELDS: [name: string, ...fields: string[]][] = [
  ["no field"],
  ["no arguments", "_1_state", "a"],
  ["the arguments twice", "0", "[]", "0", "[]"],
  ["arguments that are no JSON", "0", "["],
  ["arguments that are no list", "0", "{}"],
  ["arguments in a file", '0"; filename="a', "[]"],
  ["a file of base64", "0", '["$K1"]', '_1_a"; filename="a"\r\nContent-Transfer-Encoding: base64\r\nX-A: "', "YQ=="],
  ["a reference to another field", "0", '["$1"]', "1", '"a"'],
  ["a reference to a field that is no JSON", "0", '["$1"]', "1", "["],
  ["a cycle of references", "0", '["$@1"]', "1", '"$@0"'],
  ["a server reference", "0", '["$h1"]', "1", '{"id":"x","bound":null}'],
  ["a stream as arguments", "S0", "[]", "0", "[]"],
  ["a field whose name is the number 0 in other digits", "00", "[]", "0", "[]"],
  ["a field without a name", "", "[]", "0", "[]"],
  ["deep arguments", "0", `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`],
]

const REFERENCE = ["$ACTION_REF_1", ""]
const boundTo = (id: string, field = 1) => [...REFERENCE, "$ACTION_1:0", `{"id":"${id}","bound":"$@${field}"}`]

/** What the form of a browser without JavaScript may hold. */
const PLAIN_FIELDS = (id: string): [name: string, ...fields: string[]][] => [
  ["no field"],
  ["no action", "state", "a"],
  ["an action of another length", `$ACTION_ID_${id.slice(1)}`, ""],
  ["the action __proto__", "$ACTION_ID___proto__", ""],
  ["two actions", `$ACTION_ID_${id}`, "", `$ACTION_ID_${id}`, ""],
  ["an unknown field of React", `$ACTION_ID_${id}`, "", "$ACTION_x", ""],
  ["a reference without its fields", ...REFERENCE],
  ["a reference that is no JSON", ...REFERENCE, "$ACTION_1:0", "{", "$ACTION_1:1", "[]"],
  ["a reference without its state", ...boundTo(id)],
  ["a reference to another field", ...boundTo(id, 2), "$ACTION_1:1", "[]"],
  ["a state that is no JSON", ...boundTo(id), "$ACTION_1:1", "["],
  ["a state that is no list", ...boundTo(id), "$ACTION_1:1", "1"],
  ["a state with a reference", ...boundTo(id), "$ACTION_1:1", '["$@1"]'],
]

/** Returns bodies that no page of the console sends and that React cannot decode, for an action. */
export function malformedPayloads(id: string): ActionPayload[] {
  const whole = formOf(["0", "[]"])
  const forms = [
    { name: "a form without a boundary", type: "multipart/form-data", body: whole },
    { name: "a form with another boundary", type: "multipart/form-data; boundary=other", body: whole },
    { name: "an empty form", type: FORM, body: "" },
    { name: "half a form", type: FORM, body: whole.slice(0, 40) },
    { name: "a form without its end", type: FORM, body: whole.slice(0, -6) },
    { name: "a form with a broken header", type: FORM, body: whole.replace("Content-Disposition:", "Content") },
  ]
  return [
    ...TEXTS.map((body) => ({ name: `the text ${body.slice(0, 40)}`, action: id, type: TEXT, body })),
    ...FIELDS.map(([name, ...fields]) => ({
      name: `fields with ${name}`,
      action: id,
      type: FORM,
      body: formOf(fields),
    })),
    ...forms.map((form) => ({ ...form, action: id })),
    ...forms.map((form) => ({ ...form, name: `${form.name} or JavaScript` })),
    ...PLAIN_FIELDS(id).map(([name, ...fields]) => ({
      name: `a form without JavaScript and with ${name}`,
      type: FORM,
      body: formOf(fields),
    })),
  ]
}

/** Returns bodies that React decodes, for an action that takes a state and a form. */
export const decodablePayloads = (id: string): ActionPayload[] => [
  ...[
    "[]",
    "[null]",
    '[{"model":"$$1","state":"$undefined","questions":"$NaN"},"$K1"]',
    '[{"__proto__":{"a":1},"constructor":"$Infinity","then":"$-Infinity"},["$-0","$D2026-01-01T00:00:00.000Z"]]',
  ].map((body) => ({ name: `the text ${body}`, action: id, type: TEXT, body })),
  {
    name: "the fields of Next's client",
    action: id,
    type: FORM,
    body: formOf(["_1_state", "two\r\nlines", "_1_questions", "é", "0", '[{"model":""},"$K1"]']),
  },
  {
    name: "a form without JavaScript, with its state",
    type: FORM,
    body: formOf([...boundTo(id), "$ACTION_1:1", '[{"model":"","state":""}]', "$ACTION_KEY", "k1", "state", "a"]),
  },
  { name: "a form without JavaScript and state", type: FORM, body: formOf([`$ACTION_ID_${id}`, "", "state", "a"]) },
]
