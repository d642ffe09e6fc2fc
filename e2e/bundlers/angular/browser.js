import { main } from "./main.js";

void main({ workerUrl: "/pith/worker.js" });
