import { afterAll } from 'vitest';
import { removeTemporaryFolder } from './temporary-path.ts';

// Runs for each test file. Files share their modules, so the modules themselves cannot tell when a file ends.
afterAll(removeTemporaryFolder);
