import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect } from "vitest"
import { freePort } from "./free-port"
import { startProgram } from "./start-program"
import { tempFolder } from "./temp-folder"

export interface Balancer {
  url: string
  /** Returns whether both servers are in use. For nginx, which has no health checks, returns whether it serves requests. */
  hasBoth(): Promise<boolean>
  /** Prepares the stop of a server as the documentation asks. Resolves when no new request goes to it. */
  takeOut(port: number): Promise<void>
  /** Lets a server that was taken out receive requests again. */
  putBack(): Promise<void>
  stop(): Promise<void>
}

function balancer(child: ChildProcess, rest: Omit<Balancer, "stop">): Balancer {
  const stop = async () => {
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }
  return { ...rest, stop }
}

/** Replaces each text once. Throws when the example lacks it. */
function replaceAll(example: string, replacements: [from: string | RegExp, to: string][]): string {
  return replacements.reduce((text, [from, to]) => {
    const replaced = text.replace(from, to)
    if (replaced === text) throw new Error(`the example lacks ${from}`)
    return replaced
  }, example)
}

export type Ports = [first: number, second: number]

const accepts = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Returns the ids of the child processes of a process. */
const childrenOf = async (pid: number | undefined): Promise<string[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ")

/** The file of a certificate with its key, for HTTPS. The examples run on plain HTTP without one. */
interface Secure {
  pem?: string
}

/** Starts nginx with the example of the documentation. By default the console's processes are those of the API. */
export async function startNginx(
  [first, second]: Ports,
  consoles: Ports = [first, second],
  { pem }: Secure = {},
): Promise<Balancer> {
  const folder = tempFolder()
  const port = await freePort()
  const site = replaceAll(await readFile("docs/operating/nginx.conf", "utf8"), [
    ["127.0.0.1:3001", `127.0.0.1:${first}`],
    ["127.0.0.1:3002", `127.0.0.1:${second}`],
    ["127.0.0.1:3011", `127.0.0.1:${consoles[0]}`],
    ["127.0.0.1:3012", `127.0.0.1:${consoles[1]}`],
    ["listen 443 ssl http2", `listen 127.0.0.1:${port}${pem ? " ssl http2" : ""}`],
    [/ssl_certificate .*/, pem ? `ssl_certificate ${pem};` : ""],
    [/ssl_certificate_key .*/, pem ? `ssl_certificate_key ${pem};` : ""],
  ])
  const configure = (text: string) => writeFile(path.join(folder, "site.conf"), text)
  await configure(site)
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  await writeFile(
    path.join(folder, "nginx.conf"),
    `daemon off; ${process.getuid?.() === 0 ? "user root;" : ""} pid ${folder}/pid; error_log stderr; worker_processes 1;
     events { worker_connections 512; }
     http { access_log off; ${temporary.join(" ")} include ${folder}/site.conf; }`,
  )
  const child = await startProgram("nginx-light", "/usr/sbin/nginx", ["-e", "stderr", "-c", `${folder}/nginx.conf`])
  const reload = async (text: string) => {
    const [worker = ""] = await childrenOf(child.pid)
    await configure(text)
    child.kill("SIGHUP")
    // The worker with the former configuration ends after its last request.
    await expect.poll(() => childrenOf(child.pid), { timeout: 60_000 }).not.toContain(worker)
  }
  return balancer(child, {
    url: `${pem ? "https" : "http"}://127.0.0.1:${port}`,
    hasBoth: () => accepts(port),
    takeOut: (taken) => reload(site.replace(`server 127.0.0.1:${taken}`, "$& down")),
    putBack: () => reload(site),
  })
}

const nothing = async () => {}

/** Starts HAProxy with the example of the documentation and with faster checks. The same defaults apply. */
export async function startHaproxy(
  [first, second]: Ports,
  consoles: Ports = [first, second],
  { pem }: Secure = {},
): Promise<Balancer> {
  const folder = tempFolder()
  const [port, statistics] = [await freePort(), await freePort()]
  const config = replaceAll(await readFile("docs/operating/haproxy.cfg", "utf8"), [
    ["127.0.0.1:3001", `127.0.0.1:${first}`],
    ["127.0.0.1:3002", `127.0.0.1:${second}`],
    ["127.0.0.1:3011", `127.0.0.1:${consoles[0]}`],
    ["127.0.0.1:3012", `127.0.0.1:${consoles[1]}`],
    [/bind :443 ssl crt \S+(.*)/, `bind 127.0.0.1:${port}${pem ? ` ssl crt ${pem}$1` : ""}`],
    ["inter 1s", "inter 200ms"],
  ])
  const file = path.join(folder, "haproxy.cfg")
  await writeFile(
    file,
    `${config}\nfrontend statistics\n  bind 127.0.0.1:${statistics}\n  stats enable\n  stats uri /\n`,
  )
  const child = await startProgram("haproxy", "/usr/sbin/haproxy", ["-db", "-f", file])
  const hasBoth = async () => {
    const csv = await fetch(`http://127.0.0.1:${statistics}/;csv`).then(
      (response) => response.text(),
      () => "",
    )
    return csv.split("\n").filter((line) => /^decisions_api,api\d,/.test(line) && line.includes(",UP,")).length === 2
  }
  const url = `${pem ? "https" : "http"}://127.0.0.1:${port}`
  // The drain takes a server out, because HAProxy follows /readyz.
  return balancer(child, { url, hasBoth, takeOut: nothing, putBack: nothing })
}

/** Starts Caddy with the example of the documentation in front of one process, with a certificate that it makes itself for `localhost`. */
export async function startCaddy(upstream: number): Promise<Pick<Balancer, "url" | "stop">> {
  const folder = tempFolder()
  const port = await freePort()
  const options = `admin off\n\thttp_port ${await freePort()}\n\tskip_install_trust`
  const config = replaceAll(await readFile("docs/operating/Caddyfile", "utf8"), [
    ["{\n\tservers", `{\n\t${options}\n\tservers`],
    ["{$DOMAIN}", `https://localhost:${port}`],
    ["reverse_proxy", "tls internal\n\treverse_proxy"],
    ["service:3000", `127.0.0.1:${upstream}`],
  ])
  const file = path.join(folder, "Caddyfile")
  await writeFile(file, config)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = await startProgram("caddy", "caddy", ["run", "--adapter", "caddyfile", "--config", file], env)
  const url = `https://localhost:${port}`
  const { stop } = balancer(child, { url, hasBoth: () => accepts(upstream), takeOut: nothing, putBack: nothing })
  return { url, stop }
}
