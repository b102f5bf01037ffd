import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** What a response claims; by default what an honest browser at the test's console sends. */
interface Claims {
  origin: string
  host: string
  /** Whether the authenticator checked a PIN or a fingerprint. */
  isVerified: boolean
}

const HONEST: Claims = { origin: "http://localhost:3000", host: "localhost", isVerified: true }

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest()

/** CBOR's head of a value: its major type, and its length or number below 65,536. */
const cborHead = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255])

export type Cbor = number | string | Buffer | Map<number | string, Cbor>

function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === "string") return Buffer.concat([cborHead(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap((entry) => entry.map(cbor))])
}

/** A WebAuthn authenticator in memory with one ES256 credential. */
export class Authenticator {
  readonly credentialId = randomBytes(32)
  /** How many signatures it reports. */
  counter = 0
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ec", { namedCurve: "P-256" })

  get id(): string {
    return this.credentialId.toString("base64url")
  }

  #authenticatorData(flags: number, { host, isVerified }: Claims): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const all = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)
    return Buffer.concat([sha256(host), Buffer.from([all]), counter])
  }

  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" })
    const bytes = (text: string) => Buffer.from(text, "base64url")
    return cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    )
  }

  /** Returns what a browser sends for the options of `startPasskey`. */
  register({ challenge }: { challenge: string }, changes: Partial<Claims> = {}, attStmt = new Map<string, Cbor>()) {
    const claims = { ...HONEST, ...changes }
    const length = Buffer.from([0, this.credentialId.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.#coseKey()])
    const authData = Buffer.concat([this.#authenticatorData(HAS_CREDENTIAL, claims), credential])
    const attestation = new Map<string, Cbor>([
      ["fmt", attStmt.size > 0 ? "packed" : "none"],
      ["attStmt", attStmt],
      ["authData", authData],
    ])
    return {
      id: this.id,
      clientDataJSON: clientData("webauthn.create", challenge, claims).toString("base64url"),
      attestationObject: cbor(attestation).toString("base64url"),
      transports: ["internal"],
    }
  }

  /** Returns what a browser sends for the options of `startPasskeyConfirmation`. */
  confirm({ challenge }: { challenge: string }, changes: Partial<Claims> = {}) {
    const claims = { ...HONEST, ...changes }
    this.counter++
    const data = clientData("webauthn.get", challenge, claims)
    const authenticatorData = this.#authenticatorData(0, claims)
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(data)]), this.#keys.privateKey)
    return {
      id: this.id,
      clientDataJSON: data.toString("base64url"),
      authenticatorData: authenticatorData.toString("base64url"),
      signature: signature.toString("base64url"),
    }
  }
}

const clientData = (type: string, challenge: string, { origin }: Claims): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
