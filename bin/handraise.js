#!/usr/bin/env node
await import(new URL('../dist/bundle/handraise.js', import.meta.url).href);
