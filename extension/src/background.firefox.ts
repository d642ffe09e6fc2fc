// Firefox has no offscreen documents: its background page hosts the worker.
import "./background.js";
import { startHost } from "./host/host.js";

startHost();
