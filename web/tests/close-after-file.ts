import { afterAll } from 'vitest';
import { closeBrowser } from './browser.ts';
import { closeProductStore } from './product-store.ts';

// Runs for each test file. Files share their modules, so the modules themselves cannot tell when a file ends.
afterAll(closeProductStore);
afterAll(closeBrowser);
