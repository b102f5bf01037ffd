import { expect, onTestFinished, test, vi } from "vitest"
import type { GgufHeader } from "./gguf-header"
import { defaultThreads, loadModel } from "./load-model"
import type { Jinja, NativeApi } from "./native"

const HEADER: GgufHeader = {
  metadata: new Map<string, string | number>([
    ["general.architecture", "llama"],
    ["llama.context_length", 4_096],
  ]),
  vocabulary: 300,
  parameters: 1,
}

/** A double of the addon whose states need so many bytes each. Records what is loaded. */
function addon(bytesPerState: number) {
  const loaded: unknown[] = []
  const insights = {
    estimateModelResourceRequirementsV2: async () => ({ cpuRam: 1e6, gpuVram: 0 }),
    estimateContextResourceRequirementsV2: async ({ sequences }: { sequences: number }) => ({
      cpuRam: sequences * bytesPerState,
      gpuVram: 0,
    }),
  }
  const createContext = async (options: unknown) => loaded.push(options)
  const native = {
    getLlama: async () => ({ llamaCppRelease: { release: "v1" }, loadModel: async () => ({ createContext }) }),
    readGgufFileInfo: async () => ({}),
    GgufInsights: { from: async () => insights },
  } as unknown as NativeApi
  const options = { file: "tiny.gguf", header: HEADER, gpu: null }
  const load = (threads: number | null = null) => loadModel(native, {} as Jinja, { ...options, threads })
  return { loaded, load }
}

test("fewer states are kept when memory is short, and the context is that of the model", async () => {
  // Other processes change what is available.
  const available = vi.spyOn(process, "availableMemory").mockReturnValue(8e9)
  onTestFinished(() => available.mockRestore())
  const roomy = addon(1e6)
  expect((await roomy.load()).sequences).toBe(4)
  expect(roomy.loaded).toMatchObject([{ contextSize: 4_096, sequences: 4, flashAttention: false }])
  const tight = addon(3e9)
  expect((await tight.load()).sequences).toBe(2)
})

test("one processor is left to the service only where there are more than two, unless threads are set", async () => {
  expect([1, 2, 3, 16].map(defaultThreads)).toEqual([1, 2, 2, 15])
  const { loaded, load } = addon(1)
  await load(5)
  expect(loaded).toMatchObject([{ threads: 5 }])
})

test("a model that does not fit into memory is refused before it is loaded", async () => {
  const { loaded, load } = addon(9e15)
  await expect(load()).rejects.toThrow(
    /^The model needs about 9000000\.0 GB of memory, and [\d.]+ [GM]B are available\. Use a smaller file, or run it on another machine with llama-server and set ENGINE_URL\.$/,
  )
  expect(loaded).toEqual([])
})
