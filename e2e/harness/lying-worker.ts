// A worker on a GPU that seems to be real and computes wrongly: chosen kernels write other values than they should.

import { patchedWorker } from "./patched-worker.ts";
import type { Site } from "./server.ts";

/**
 * - `off`: every value is one per cent too large.
 * - `lane`: one value of seven is half as large again.
 * - `nan`: no value is a number.
 * - `nothing`: nothing is written; with WebGL2 zeros.
 */
export type Lie = "off" | "lane" | "nan" | "nothing";

/** A kernel that lies. */
export interface Liar {
  /** A regular expression: WebGPU kernels by their label, WebGL2 shaders by their text. */
  kernel: string;
  lie: Lie;
  /** How often it is right at first; WebGPU only. */
  right?: number;
}

/** What is wrong with the GPU. */
export interface Faults {
  webgpu?: Liar[];
  webgl2?: Liar[];
  /** As WebGPU tells it. */
  vendor?: string;
}

/** Runs in the worker before its own script. */
function patch(faults: Faults): void {
  type Method = (this: unknown, ...args: unknown[]) => unknown;
  const wrong = (value: string, index: string, lie: Lie): string =>
    ({
      off: `(${value}) * 1.01`,
      lane: `(${value}) * select(1.0, 1.5, (${index}) % 7u == 3u)`,
      nan: `sqrt(-1.0 - abs(${value}))`,
      nothing: "",
    })[lie];

  // Assignments to storage buffers of f32. Shaders are shipped with few spaces.
  const lying = (code: string, lie: Lie): string => {
    const buffers = [...code.matchAll(/var<storage, ?read_write> (\w+): ?array<f32>/g)].map(([, name]) => name);
    const store = new RegExp(`\\b(${buffers.join("|")})\\[([^=;]*)\\] ?([+*]?=)(?!=)([^;]+);`, "g");
    const changed = code.replace(store, (_, name: string, index: string, assign: string, value: string) =>
      lie === "nothing" ? `_ = ${value};` : `${name}[${index}] ${assign} ${wrong(value, index, lie)};`,
    );
    if (buffers.length === 0 || changed === code) throw Error(`no values to change in ${code}`);
    return changed;
  };

  if (typeof GPUDevice !== "undefined") {
    const device = GPUDevice.prototype as unknown as Record<string, Method>;
    const liars = (faults.webgpu ?? []).map((liar) => ({ ...liar, kernel: new RegExp(liar.kernel) }));
    const modules = new Map<unknown, { module: unknown; right: number }>();
    const pipelines = new Map<unknown, { pipeline: unknown; right: number }>();
    const createShaderModule = device.createShaderModule!;
    device.createShaderModule = function (descriptor) {
      const { label = "", code } = descriptor as { label?: string; code: string };
      const liar = liars.find(({ kernel }) => kernel.test(label));
      const module = createShaderModule.call(this, descriptor);
      if (liar) {
        const lie = createShaderModule.call(this, { label, code: lying(code, liar.lie) });
        modules.set(module, { module: lie, right: liar.right ?? 0 });
      }
      return module;
    };
    const createComputePipeline = device.createComputePipeline!;
    device.createComputePipeline = function (descriptor) {
      const pipeline = createComputePipeline.call(this, descriptor);
      const { compute } = descriptor as { compute: { module: unknown } };
      const liar = modules.get(compute.module);
      if (liar) {
        const lie = { ...(descriptor as object), compute: { ...compute, module: liar.module } };
        pipelines.set(pipeline, { pipeline: createComputePipeline.call(this, lie), right: liar.right });
      }
      return pipeline;
    };
    const pass = GPUComputePassEncoder.prototype as unknown as Record<string, Method>;
    const setPipeline = pass.setPipeline!;
    pass.setPipeline = function (pipeline) {
      const liar = pipelines.get(pipeline);
      if (liar) liar.right -= 1;
      return setPipeline.call(this, liar && liar.right < 0 ? liar.pipeline : pipeline);
    };
    // A GPU of which nobody knows that it is emulated.
    const info = { vendor: faults.vendor ?? "example", architecture: "made-up", device: "", description: "" };
    const more = { isFallbackAdapter: false, subgroupMinSize: 4, subgroupMaxSize: 128 };
    Object.defineProperty(GPUAdapter.prototype, "info", { get: () => ({ ...info, ...more }) });
  }

  const gl = WebGL2RenderingContext.prototype as unknown as Record<string, Method>;
  const shaderSource = gl.shaderSource!;
  gl.shaderSource = function (shader, text) {
    const source = text as string;
    const liar = (faults.webgl2 ?? []).find(({ kernel }) => new RegExp(kernel).test(source));
    if (!liar) return shaderSource.call(this, shader, source);
    // A fragment writes four values at once.
    const lie = { off: "1.01 *", lane: "vec4(1.0, 1.5, 1.0, 1.0) *", nan: "sqrt(-1.0) *", nothing: "0.0 *" }[liar.lie];
    return shaderSource.call(this, shader, source.replaceAll("floatBitsToUint(", `floatBitsToUint(${lie} `));
  };
  const getParameter = gl.getParameter!;
  gl.getParameter = function (name) {
    const value = getParameter.call(this, name);
    return typeof value === "string" ? value.replace(/.*(swiftshader|llvmpipe|software).*/i, "a made-up GPU") : value;
  };
}

/** The address of such a worker. */
export const lyingWorker = (site: Site, faults: Faults): string => patchedWorker(site, patch, faults);
