#!/usr/bin/env node
import './require-node.js';
import './compile-cache.js';

// The worker has a bundle of its own; everything else finds its command itself.
const isUp = process.argv.slice(2).find((word) => !word.startsWith('-')) === 'up';
const program = isUp ? '../dist/bundle/worker/worker.js' : '../dist/bundle/handraise.js';
await import(new URL(program, import.meta.url).href);
