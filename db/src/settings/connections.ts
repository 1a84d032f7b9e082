import { SERVING, safeAddress, setting, text, webAddress } from './kinds.ts';

/** Services that an installation can do without. */
export const CONNECTION_SETTINGS = {
  OIDC_ISSUER: setting(webAddress('https:// address'), {
    group: 'Identity provider',
    meaning: 'The issuer, exactly as its `/.well-known/openid-configuration` names it. `https` in production.',
    usual: 'none',
    usedBy: ['web'],
  }),
  OIDC_CLIENT_ID: setting(text(200), {
    group: 'Identity provider',
    meaning: 'The client id. Id tokens must be addressed to it. Required with `OIDC_ISSUER`.',
    usual: 'none',
    usedBy: ['web'],
  }),
  OIDC_CLIENT_SECRET: setting(text(1000), {
    group: 'Identity provider',
    meaning: 'The client secret. Leave it out for a public client.',
    usual: 'none',
    usedBy: ['web'],
    isSecret: true,
    hasFile: true,
  }),
  OIDC_NAME: setting(text(30), {
    group: 'Identity provider',
    meaning: 'For the button "Continue with …".',
    usual: 'the host of `OIDC_ISSUER`',
    usedBy: ['web'],
  }),

  RATES_URL: setting(safeAddress, {
    group: 'Connections to other services',
    meaning: 'Where currency rates are refreshed from.',
    usual: 'none',
    usedBy: SERVING,
    hasFile: true,
  }),
  CHAT_MODEL_URL: setting(safeAddress, {
    group: 'Connections to other services',
    meaning: 'An OpenAI-compatible endpoint that chats ask what the built-in grammar cannot read.',
    usual: 'none',
    usedBy: ['web'],
  }),
  CHAT_MODEL: setting(text(200), {
    group: 'Connections to other services',
    meaning: 'The model that chats ask for. Required with `CHAT_MODEL_URL`.',
    usual: 'none',
    usedBy: ['web'],
  }),
  CHAT_MODEL_KEY: setting(text(1000), {
    group: 'Connections to other services',
    meaning: 'The key of the endpoint.',
    usual: 'none',
    usedBy: ['web'],
    isSecret: true,
    hasFile: true,
  }),
  WEATHER_URL: setting(safeAddress, {
    group: 'Connections to other services',
    meaning:
      'Where chats read the weather: a service with the protocol of Open-Meteo, such as `https://api.open-meteo.com`.',
    usual: 'none',
    usedBy: ['web'],
  }),
  WEATHER_PLACES_URL: setting(safeAddress, {
    group: 'Connections to other services',
    meaning: 'Its search of places, such as `https://geocoding-api.open-meteo.com`. Required with `WEATHER_URL`.',
    usual: 'none',
    usedBy: ['web'],
  }),
} as const;
