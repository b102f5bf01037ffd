import { writeFileSync } from "node:fs"
import { byteAlphabet, MERGES } from "../tiny-tokenizer"
import { TINY_TEMPLATES } from "./tiny-templates"

export interface TinyModel {
  /** `<arch>.decision.type`. Null: an ordinary chat model. */
  type: string | null
  /** By the name after `<arch>.decision.temperature.`, such as `choice.small`. */
  temperatures?: Record<string, number>
  /** "llama" keeps a state per token, "mamba" one state for all. "unheard" is an unknown architecture. */
  arch?: "llama" | "mamba" | "unheard"
  seed?: number
  contextTokens?: number
  /** Answers every prompt with a letter, and most often with "A". */
  isObedient?: boolean
  /** Replaces the template of the type. */
  template?: string
}

const WIDTH = 64
const LAYERS = 2
const HEADS = 4
const FORWARD = 96
const STATE = 8
const CONVOLUTION = 4
const INNER = 2 * WIDTH
const RANK = 4
const ALIGNMENT = 32
const CONTROL = 3
const NORMAL = 1
export const TINY_SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|box_end|>"]
/** An ordinary token, as in vocabularies of Qwen. llama.cpp takes it for a control token. */
const END_MARK = "</s>"
/** Labels of two letters that are one token. */
const PAIRS = [..."ABCDEFGHIJ"].flatMap((first) => [..."ABCD"].map((second) => `${first} ${second}`))
const WORDS = ["S t", "St a", "Sta t", "Stat e", "Q u", "Qu e", "Que s", "Ques t", "Quest i", "Questi o", "Questio n"]

const merges = [...MERGES.map((pair) => pair.join(" ")), ...PAIRS, ...WORDS]
const words = [...byteAlphabet(), ...merges.map((merge) => merge.replace(" ", ""))]
const tokens = [...words, ...TINY_SPECIALS, END_MARK]

type Value = string | number | boolean | { float: number } | { strings: string[] } | { integers: number[] }

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)
const u64 = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer)

/** Encodes a value of the metadata: its type's number, then itself. */
function encoded(value: Value): Buffer {
  if (typeof value === "string") return Buffer.concat([u32(8), text(value)])
  if (typeof value === "boolean") return Buffer.concat([u32(7), Buffer.of(Number(value))])
  if (typeof value === "number") return Buffer.concat([u32(4), u32(value)])
  if ("float" in value) return Buffer.concat([u32(6), Buffer.from(Float32Array.of(value.float).buffer)])
  if ("strings" in value) return Buffer.concat([u32(9), u32(8), u64(value.strings.length), ...value.strings.map(text)])
  return Buffer.concat([
    u32(9),
    u32(5),
    u64(value.integers.length),
    Buffer.from(Int32Array.from(value.integers).buffer),
  ])
}

/** A generator of numbers in [0, 1) that always yields the same ones for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Shape = [name: string, ...dimensions: number[]]

const SHARED: Shape[] = [
  ["token_embd.weight", WIDTH, tokens.length],
  ["output_norm.weight", WIDTH],
  ["output.weight", WIDTH, tokens.length],
]

const attention = (i: number): Shape[] => [
  [`blk.${i}.attn_norm.weight`, WIDTH],
  [`blk.${i}.attn_q.weight`, WIDTH, WIDTH],
  [`blk.${i}.attn_k.weight`, WIDTH, WIDTH],
  [`blk.${i}.attn_v.weight`, WIDTH, WIDTH],
  [`blk.${i}.attn_output.weight`, WIDTH, WIDTH],
  [`blk.${i}.ffn_norm.weight`, WIDTH],
  [`blk.${i}.ffn_gate.weight`, WIDTH, FORWARD],
  [`blk.${i}.ffn_up.weight`, WIDTH, FORWARD],
  [`blk.${i}.ffn_down.weight`, FORWARD, WIDTH],
]

const recurrent = (i: number): Shape[] => [
  [`blk.${i}.attn_norm.weight`, WIDTH],
  [`blk.${i}.ssm_in.weight`, WIDTH, 2 * INNER],
  [`blk.${i}.ssm_conv1d.weight`, CONVOLUTION, INNER],
  [`blk.${i}.ssm_conv1d.bias`, INNER],
  [`blk.${i}.ssm_x.weight`, INNER, RANK + 2 * STATE],
  [`blk.${i}.ssm_dt.weight`, RANK, INNER],
  [`blk.${i}.ssm_dt.bias`, INNER],
  [`blk.${i}.ssm_a`, STATE, INNER],
  [`blk.${i}.ssm_d`, INNER],
  [`blk.${i}.ssm_out.weight`, INNER, WIDTH],
]

function metadataOf({ type, temperatures = {}, arch = "llama", contextTokens = 32_768, template }: TinyModel) {
  const shape: Record<string, Value> =
    arch === "mamba"
      ? { "ssm.conv_kernel": CONVOLUTION, "ssm.inner_size": INNER, "ssm.state_size": STATE, "ssm.time_step_rank": RANK }
      : { "attention.head_count": HEADS, "attention.head_count_kv": HEADS, "rope.dimension_count": WIDTH / HEADS }
  const own: Record<string, Value> = {
    context_length: contextTokens,
    embedding_length: WIDTH,
    block_count: LAYERS,
    feed_forward_length: arch === "mamba" ? 0 : FORWARD,
    "attention.layer_norm_rms_epsilon": { float: 1e-5 },
    ...shape,
    ...(type === null ? {} : { "decision.type": type }),
    ...Object.fromEntries(
      Object.entries(temperatures).map(([name, float]) => [`decision.temperature.${name}`, { float }]),
    ),
  }
  const kinds = tokens.map((token) => (TINY_SPECIALS.includes(token) ? CONTROL : NORMAL))
  const rendered = template ?? TINY_TEMPLATES[type ?? "chat"] ?? TINY_TEMPLATES.lev ?? ""
  return {
    "general.architecture": arch,
    "general.file_type": 0,
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`${arch}.${name}`, value])),
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "qwen2",
    "tokenizer.ggml.tokens": { strings: tokens },
    "tokenizer.ggml.token_type": { integers: kinds },
    "tokenizer.ggml.merges": { strings: merges },
    "tokenizer.ggml.eos_token_id": words.length + 2,
    "tokenizer.ggml.bos_token_id": words.length,
    "tokenizer.ggml.add_bos_token": false,
    [type === null ? "tokenizer.chat_template" : "tokenizer.chat_template.systemone"]: rendered,
  } satisfies Record<string, Value>
}

function weightsOf(name: string, dimensions: number[], random: () => number, isObedient: boolean): Buffer {
  const size = dimensions.reduce((product, length) => product * length, 1)
  const weights = new Float32Array(size)
  const scale = 1.5 / Math.sqrt(dimensions[0] ?? 1)
  for (let i = 0; i < size; i++) {
    if (name.endsWith("norm.weight")) weights[i] = 1
    // A recurrent state decays.
    else if (name.endsWith("ssm_a")) weights[i] = -1 - random()
    else weights[i] = (2 * random() - 1) * scale
  }
  if (isObedient) obey(name, weights)
  return Buffer.from(weights.buffer)
}

/** Makes the first value of every hidden state positive, and lets only the logits of letters grow with it. */
function obey(name: string, weights: Float32Array): void {
  if (name !== "token_embd.weight" && name !== "output.weight") return
  tokens.forEach((token, i) => {
    const letter = /^[A-Z]{1,2}$/.test(token) ? (token === "A" ? 3 : 2) : 0
    weights[i * WIDTH] = name === "output.weight" ? letter : 8
  })
}

/** Returns a GGUF file: a model of two layers with random weights, a small byte-level vocabulary and the given metadata. */
export function tinyGguf(model: TinyModel): Buffer {
  const { arch = "llama", seed = 1 } = model
  const metadata = Object.entries(metadataOf(model) as Record<string, Value>)
  const layers = Array.from({ length: LAYERS }, (_, i) => (arch === "mamba" ? recurrent(i) : attention(i)))
  const random = randomFrom(seed)
  const infos: Buffer[] = []
  const data: Buffer[] = []
  let offset = 0
  for (const [name, ...dimensions] of [...SHARED, ...layers.flat()]) {
    infos.push(text(name), u32(dimensions.length), ...dimensions.map(u64), u32(0), u64(offset))
    const weights = weightsOf(name, dimensions, random, model.isObedient ?? false)
    const padding = -weights.length & (ALIGNMENT - 1)
    data.push(weights, Buffer.alloc(padding))
    offset += weights.length + padding
  }
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    u32(3),
    u64(infos.length === 0 ? 0 : SHARED.length + layers.flat().length),
    u64(metadata.length),
    ...metadata.flatMap(([key, value]) => [text(key), encoded(value)]),
    ...infos,
  ])
  return Buffer.concat([head, Buffer.alloc(-head.length & (ALIGNMENT - 1)), ...data])
}

export const writeTinyGguf = (file: string, model: TinyModel): void => writeFileSync(file, tinyGguf(model))
