import { launch } from './bootstrap.mjs';

await launch('launch/src/image/pin-images.ts');
