import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import https from "node:https"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { listen } from "./listen"

interface Received {
  headers: Record<string, string>
  body: string
}

export interface TlsReceiver {
  port: number
  /** The certificate of `hooks.example.com` and 127.0.0.1, to be trusted by the client. */
  ca: string
  received: Received[]
  /** Replaces what the receiver does with a request that it has read. By default it returns 204. */
  respond: (request: IncomingMessage, response: ServerResponse) => void
}

/** Creates a certificate with openssl, which is the Debian package `openssl`. */
function certificate(): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "svc-tls-"))
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")]
  const name = ["-subj", "/CN=hooks.example.com", "-addext", "subjectAltName=DNS:hooks.example.com,IP:127.0.0.1"]
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
  execFileSync("openssl", ["req", "-x509", ...kind, ...name, "-keyout", key, "-out", cert], { stdio: "ignore" })
  const texts = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  rmSync(folder, { recursive: true })
  return texts
}

/** Starts an HTTPS server on a loopback port, which stops with the test file. */
export async function tlsReceiver(): Promise<TlsReceiver> {
  const { key, cert } = certificate()
  const receiver: TlsReceiver = {
    port: 0,
    ca: cert,
    received: [],
    respond: (_request, response) => void response.writeHead(204).end(),
  }
  const server = https.createServer({ key, cert }, async (request, response) => {
    receiver.received.push({ headers: request.headers as Record<string, string>, body: await text(request) })
    receiver.respond(request, response)
  })
  receiver.port = Number(new URL(await listen(server)).port)
  return receiver
}
