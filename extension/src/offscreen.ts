import { startHost } from "./host/host.js";

startHost();
