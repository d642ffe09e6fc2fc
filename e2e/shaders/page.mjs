// Compiles a batch of modules on the page's device, and makes pipelines of those that ask for it.

const adapter = await navigator.gpu.requestAdapter();
const has_f16 = adapter.features.has("shader-f16");
const device = await adapter.requestDevice({ requiredFeatures: has_f16 ? ["shader-f16"] : [] });
const layouts = new Map();

function layout(bindings) {
  const key = bindings.join();
  if (!layouts.has(key)) {
    const entries = bindings.map((type, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type },
    }));
    const bindGroupLayouts = [device.createBindGroupLayout({ entries })];
    layouts.set(key, device.createPipelineLayout({ bindGroupLayouts }));
  }
  return layouts.get(key);
}

/** The part of a module that a line belongs to, and the line's number in it. */
function origin(parts, line) {
  const [first, path] = parts.filter(([first]) => first <= line).at(-1) ?? [1, "header"];
  return `${path}:${line - first + 1}`;
}

async function compileOne(module, outcome) {
  if (module.f16 && !has_f16) {
    outcome.left_out += 1;
    return;
  }
  const refuse = (message) => outcome.refused.push({ label: module.label, message });
  const shader = device.createShaderModule({ code: module.source });
  const { messages } = await shader.getCompilationInfo();
  const errors = messages.filter(({ type }) => type === "error");
  for (const { lineNum, message } of errors) refuse(`${origin(module.parts, lineNum)}: ${message}`);
  if (errors.length > 0) return;
  outcome.compiled += 1;
  if (!module.pipeline) return;
  try {
    await device.createComputePipelineAsync({
      layout: layout(module.bindings),
      compute: { module: shader, entryPoint: "main" },
    });
    outcome.pipelines += 1;
  } catch (error) {
    refuse(`pipeline: ${error.message}`);
  }
}

globalThis.compile = async (batch) => {
  const modules = await (await fetch(`/batches/${batch}.json`)).json();
  const outcome = { compiled: 0, pipelines: 0, left_out: 0, refused: [] };
  device.pushErrorScope("validation"); // What is refused is in the modules' own messages.
  await Promise.all(modules.map((module) => compileOne(module, outcome)));
  await device.popErrorScope();
  return outcome;
};
