"use client";

// Rendered on the server too, which imports the package there.
import { useEffect } from "react";
import { main } from "../main.js";

let isStarted = false;

export default function Page() {
  useEffect(() => {
    // In development React runs effects twice.
    if (!isStarted) void main();
    isStarted = true;
  }, []);
  return <p id="out" />;
}
