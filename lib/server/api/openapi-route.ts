import { readFileSync } from "node:fs"
import type { Route } from "./public-routes"
import { sendJson } from "./respond"

const FILE = "public/openapi.json"

/** `GET /openapi.json`: the description of the API, read once, with this instance's own address in it. */
export function openApiRoute(baseUrl: string): Route {
  const document: object = JSON.parse(readFileSync(FILE, "utf8"))
  const json = JSON.stringify({ ...document, servers: [{ url: baseUrl }] })
  return {
    path: "/openapi.json",
    method: "GET",
    serve: "both",
    handle: async (_request, response) => sendJson(response, 200, json),
  }
}
