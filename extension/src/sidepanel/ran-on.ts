/** The message that says where a model ran. */
export const RAN_ON: Record<string, string> = { webgpu: "ranOn_webgpu", webgl2: "ranOn_webgl2", cpu: "ranOn_cpu" };
