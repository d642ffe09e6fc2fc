console.error("offscreen complains");
new Worker("worker.js");
