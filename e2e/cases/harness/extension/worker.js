console.error("worker complains");
