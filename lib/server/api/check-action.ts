import type { IncomingMessage, ServerResponse } from "node:http"
import { ServiceError } from "@/lib/shared/errors"
import type { OwnsAction } from "./action-map"
import { HANDLERS } from "./console-actions"
import { pathOf } from "./console-request"

/** An action has at most two arguments: the state and the form of React's `useActionState`. */
const MAX_ARGUMENTS = 2
const MAX_DEPTH = 32
/** Strings of React's encoding that need nothing else: text, escaped text, undefined, special numbers, dates and forms. */
const PLAIN = /^(?:[^$]|$|\$(?:\$|undefined$|NaN$|-?Infinity$|-0$|D|K[0-9a-f]+$))/
/** The field with which a form without JavaScript names its action, by an id or by the fields that hold it with its state. */
const MARKER = /^\$ACTION_(?:ID_([0-9a-f]{42})|REF_(\w+))$/
const BOUND_ACTION = /^\{"id":"([0-9a-f]{42})","bound":"\$@1"\}$/

const undecodable = () =>
  new ServiceError("invalid_request", {
    param: "body",
    message: "The console cannot read this request. Reload the page and try again.",
  })

/** Returns the id of the action that a request of Next's client runs. Next takes it from no other method. */
const actionOf = ({ method, headers }: IncomingMessage): string | undefined =>
  method === "POST" ? headers["next-action"]?.toString() : undefined

function requireOwn(request: IncomingMessage, response: ServerResponse, id: string, ownsAction: OwnsAction): void {
  if (ownsAction(pathOf(request), id)) return
  // Next's client then reports that its page is of another version of the console.
  response.setHeader("x-nextjs-action-not-found", "1")
  throw new ServiceError("not_found")
}

/**
 * Throws `not_found` for a request whose headers name an action that the page does not have. Next would send it to a page that has
 * it, as this machine. No address but that of a page has any action.
 */
export function refuseForeignAction(request: IncomingMessage, response: ServerResponse, ownsAction: OwnsAction): void {
  const action = actionOf(request)
  if (action !== undefined) requireOwn(request, response, action, ownsAction)
}

/**
 * Checks that a request runs a server action of its own page, with arguments that React can decode. Next would respond with 500 to
 * a body that it cannot decode. Returns the body to pass on, and any other request's body unchanged. Throws `not_found` and
 * `invalid_request`.
 */
export async function checkAction(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer | null,
  ownsAction: OwnsAction,
): Promise<Buffer | null> {
  const { method, headers } = request
  const type = headers["content-type"] ?? ""
  const isForm = method === "POST" && type.startsWith("multipart/form-data")
  const action = actionOf(request)
  refuseForeignAction(request, response, ownsAction)
  if (!isForm) {
    if (action !== undefined) checkArguments(String(body ?? ""))
    return body
  }
  const form = await readForm(type, body)
  // A handler's own form. If no handler has the address, Next renders its page for that, which could run the action.
  if (pathOf(request).startsWith(HANDLERS) && ![...form.keys()].some((name) => name.startsWith("$ACTION_"))) return body
  if (action === undefined) requireOwn(request, response, readFormAction(form), ownsAction)
  else checkFields(form)
  // Written again, because Next's own parser of forms reads some bodies differently.
  const sent = new Response(form)
  headers["content-type"] = sent.headers.get("content-type") ?? type
  return Buffer.from(await sent.arrayBuffer())
}

async function readForm(type: string, body: Buffer | null): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body ?? []), { headers: { "content-type": type } }).formData()
  } catch {
    throw undecodable()
  }
}

/** Checks the fields that Next's client sends: one with the arguments, and those of forms among them. No action takes a file. */
function checkFields(form: FormData): void {
  const isKnown = ([name, value]: [string, FormDataEntryValue]) =>
    typeof value === "string" && (name === "0" || name.startsWith("_"))
  const [values, ...others] = form.getAll("0")
  if (typeof values !== "string" || others.length > 0 || ![...form].every(isKnown)) throw undecodable()
  checkArguments(values)
}

/** Returns the id of the action that a form without JavaScript names, and checks the state that it carries. */
function readFormAction(form: FormData): string {
  const names = [...form.keys()].filter((name) => name.startsWith("$ACTION_") && name !== "$ACTION_KEY")
  const [, id, reference] = names.map((name) => MARKER.exec(name)).find((found) => found !== null) ?? []
  if (id !== undefined && names.length === 1) return id
  const [, bound] = BOUND_ACTION.exec(String(form.get(`$ACTION_${reference}:0`))) ?? []
  if (reference === undefined || bound === undefined || names.length !== 3) throw undecodable()
  checkArguments(String(form.get(`$ACTION_${reference}:1`)))
  return bound
}

/** Throws `invalid_request` unless a text is a list of arguments without references, which the console's pages never send. */
function checkArguments(text: string): void {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    throw undecodable()
  }
  if (!Array.isArray(values) || values.length > MAX_ARGUMENTS || !isPlain(values)) throw undecodable()
}

function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return PLAIN.test(value)
  if (typeof value !== "object" || value === null) return true
  return depth < MAX_DEPTH && Object.values(value).every((part) => isPlain(part, depth + 1))
}
