import type { IncomingMessage, ServerResponse } from "node:http"
import type { ServiceError } from "@/lib/shared/errors"
import type { Place } from "./client-slots"
import type { InFlight } from "./in-flight"

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Passes a request to the console, which renders it in `place`. While its body arrives, the request may leave the place. */
export type ConsoleHandler = (request: IncomingMessage, response: ServerResponse, place: Place) => void | Promise<void>

/** A path that this server answers without Next. */
export interface Route {
  path: string
  method: "GET" | "POST"
  /** The part of the service that has the route. The setting `SERVE` chooses the parts that this server runs. */
  serve: "api" | "console" | "both"
  /** True for a route that needs no client address, because health checks and scrapers do not pass the proxy. */
  isProbe?: boolean
  /** Returns the body of the route's errors; spec.md's form unless given. */
  errorBody?(error: ServiceError): object
  handle(request: IncomingMessage, response: ServerResponse, inFlight: InFlight): Promise<void>
}
