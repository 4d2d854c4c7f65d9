import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, expectStatus, type LiveRegistry, type PackageSketch, startRegistry } from '../support/registry.ts';
import { seedPackages } from '../support/seeded.ts';

const PACKAGES: PackageSketch[] = [
  {
    name: 'weather',
    description: 'Current weather of a city',
    tools: { weather: 'Current temperature and wind of a city' },
  },
  { name: 'weather-history', description: 'Past days', tools: { past_days: 'How warm it was' } },
  { name: 'climate', description: 'Charts', keywords: ['weather'], tools: { chart: 'Draws a chart' } },
  { name: 'travel', description: 'Plans a trip, looks at the weather on the way', tools: { plan_trip: 'Plans' } },
  { name: 'notes', description: 'Notes', tools: { note: 'Keeps notes' }, readme: '# Notes\n\nUseful in any weather.' },
  { name: 'forecast-tool', description: 'Forecasts', tools: { get_weather: 'Forecast' } },
  { name: 'exact', description: 'x', tools: { weather_map: 'x' } },
  { name: 'tianqi', description: '查询指定城市的天气预报', tools: { tianqi: '返回当前天气情况和温度' } },
  {
    name: 'pogoda',
    description: 'Показывает погоду в городе',
    tools: { pogoda: 'Текущая погода: температура и ветер' },
  },
  { name: 'otchet', description: 'Отчёты о погоде за прошлый год', tools: { otchet: 'Ёлка и отчёт' } },
  {
    name: 'tenki',
    description: '東京の天気予報を調べるツール',
    tools: { tenki: '天気を返します。カタカナもあります' },
  },
  { name: 'nalssi', description: '서울의 날씨를 알려줍니다', tools: { nalssi: '현재 날씨' } },
  {
    name: '@team/web-search',
    description: 'Searches',
    tools: { searchWeb: 'Looks things up in the web' },
    packageJson: { slopcode: { tools: ['./index.ts'] } },
  },
  { name: 'read-log', description: 'Reads logs', tools: { read_log: 'Head or tail of a log file' } },
  { name: 'cafe', description: 'Café finder', tools: { cafe: 'naïve résumé' } },
];

let registry: LiveRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  await seedPackages(registry.dataFolder, PACKAGES);
});
afterAll(() => registry.end());

const search = async (q: string, more = '') =>
  (await expectStatus(call(registry.url, `/v1/search?q=${encodeURIComponent(q)}${more}`), 200)).body;
const names = async (q: string, more = ''): Promise<string[]> =>
  (await search(q, more)).results.map((result: { name: string }) => result.name);

/** Without halves of surrogate pairs, which no address can hold. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

describe('search finds', () => {
  it('the exact name first, then a tool of that name, then names that begin so, keywords, descriptions, READMEs', async () => {
    const found = await names('weather');
    // Two packages with the word in a tool's name, in either order.
    expect(found.slice(2, 4).sort()).toEqual(['exact', 'forecast-tool']);
    found.splice(2, 2);
    expect(found).toEqual(['weather', 'weather-history', 'climate', 'travel', 'notes']);
  });

  it('a tool by its exact name before everything but a package of that name', async () => {
    expect((await names('get_weather'))[0]).toBe('forecast-tool');
    expect((await names('get weather'))[0]).toBe('forecast-tool');
    expect((await names('read-log'))[0]).toBe('read-log');
    expect(await names('searchWeb')).toEqual(['@team/web-search']);
    expect(await names('search web')).toEqual(['@team/web-search']);
  });

  it('a scoped package with and without its scope', async () => {
    expect(await names('@team/web-search')).toEqual(['@team/web-search']);
    expect((await names('web-search'))[0]).toBe('@team/web-search');
    expect(await names('team')).toEqual(['@team/web-search']);
  });

  it('Chinese inside longer runs, by any part', async () => {
    for (const text of ['天气', '查询', '城市的天气', '天气预报', '温度', '市', '指定城市']) {
      expect(await names(text), text).toContain('tianqi');
    }
    expect(await names('气天')).toEqual([]);
    expect(await names('天气 温度')).toEqual(['tianqi']);
  });

  it('Japanese and Korean', async () => {
    for (const text of ['天気', '天気予報', '東京', 'ツール', 'カタカナ', '調べる']) {
      expect(await names(text), text).toEqual(['tenki']);
    }
    for (const text of ['날씨', '서울', '현재 날씨']) expect(await names(text), text).toEqual(['nalssi']);
  });

  it('Russian in every case, with ё and е alike', async () => {
    for (const text of ['погода', 'погоду', 'погоды', 'погодой', 'ПОГОДА', 'погод']) {
      expect((await names(text)).sort(), text).toEqual(['otchet', 'pogoda']);
    }
    for (const text of ['отчет', 'отчёт', 'отчёты', 'елка']) expect(await names(text), text).toEqual(['otchet']);
    expect(await names('температура в городе')).toEqual(['pogoda']);
  });

  it('what begins so', async () => {
    expect((await names('weath'))[0]).toBe('weather');
    expect(await names('temp')).toEqual(['weather']);
  });

  it('with one typo: a letter wrong, missing, too many, or two swapped', async () => {
    for (const text of ['weathar', 'wether', 'weatther', 'waether', 'eather', 'wweather', 'wheather', 'weathe']) {
      expect((await names(text))[0], text).toBe('weather');
    }
    for (const text of ['пагода', 'погдоа', 'темпиратура']) expect(await names(text), text).toContain('pogoda');
    expect(await names('wexthar')).toEqual([]);
  });

  it('every word, whatever the order, accent and case', async () => {
    expect(await names('WIND city')).toEqual(['weather']);
    expect(await names('wind log')).toEqual([]);
    for (const text of ['café', 'cafe', 'resume', 'RÉSUMÉ', 'ｃａｆｅ'])
      expect(await names(text), text).toEqual(['cafe']);
  });

  it('for one agent only, when asked', async () => {
    expect(await names('web', '&agent=slopcode')).toEqual(['@team/web-search']);
    expect(await names('weather', '&agent=slopcode')).toEqual([]);
    await expectStatus(call(registry.url, '/v1/search?q=x&agent=emacs'), 400);
  });
});

describe('search answers', () => {
  it('with everything by name when nothing is asked, in pages', async () => {
    const all = PACKAGES.map((sketch) => sketch.name ?? '').sort();
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await search('', `&limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.total).toBe(all.length);
      seen.push(...page.results.map((result: { name: string }) => result.name));
      cursor = page.cursor;
    }
    expect(seen).toEqual(all);
  });

  it('with what a list shows', async () => {
    const { results } = await search('read_log');
    expect(results[0]).toEqual({
      name: 'read-log',
      version: '1.0.0',
      description: 'Reads logs',
      tools: ['read_log'],
      agents: ['pi'],
    });
  });

  it('400 to a cursor or limit that is not one', async () => {
    for (const query of ['cursor=x', 'cursor=MTp4', 'limit=0', 'limit=-1', 'limit=1e3', 'limit=99999', 'limit=x']) {
      await expectStatus(call(registry.url, `/v1/search?${query}`), 400);
    }
  });

  it('whatever is typed: nothing is syntax', async () => {
    const texts = [
      '"',
      '""',
      "'",
      '*',
      'weather*',
      'NOT weather',
      'weather OR',
      'AND',
      'NEAR(weather, 2)',
      'name:weather',
      '{name}: x',
      '^weather',
      'weather"',
      '(',
      ')',
      '-',
      '%',
      '_',
      ';drop table packages',
      '\\',
      'a'.repeat(500),
      '天'.repeat(200),
      '\u0000',
      '😀',
      'İ',
      'ß',
      '[*]',
      '?',
    ];
    for (const text of texts) await search(text);
    expect((await search('weather NOT city')).results).toEqual([]);
    expect((await search('weather OR travel')).results).toEqual([]);
    expect((await search('***')).results).toEqual([]);
    expect((await search('')).total).toBe(PACKAGES.length);
  });

  it('whatever is typed, in properties', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        const answer = await call(registry.url, `/v1/search?q=${encodeURIComponent(wellFormed(text))}`);
        expect(answer.status).toBe(200);
      }),
      { numRuns: 150 },
    );
  });

  it('quickly, also to a text made to be slow', async () => {
    const started = performance.now();
    await search(Array.from({ length: 60 }, (_, index) => `zz${index}zz`).join(' '));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('what is found follows what is listed', () => {
  it('and goes with a yank of the only good version’s words, a quarantine, an approval', async () => {
    const token = registry.adminToken;
    await seedPackages(registry.dataFolder, [
      { name: 'follows', version: '1.0.0', description: 'oldword' },
      { name: 'follows', version: '1.1.0', description: 'newword' },
    ]);
    const change = (version: string, action: string) =>
      expectStatus(
        call(registry.url, `/v1/packages/follows/versions/${version}/${action}`, { token, json: { reason: 'test' } }),
        200,
      );
    expect([await names('oldword'), await names('newword')]).toEqual([[], ['follows']]);
    await change('1.1.0', 'yank');
    expect([await names('oldword'), await names('newword')]).toEqual([['follows'], []]);
    await change('1.1.0', 'unyank');
    await change('1.1.0', 'quarantine');
    expect([await names('oldword'), await names('newword')]).toEqual([['follows'], []]);
    await change('1.0.0', 'quarantine');
    expect([await names('oldword'), await names('follows')]).toEqual([[], []]);
    await change('1.1.0', 'approve');
    expect(await names('newword')).toEqual(['follows']);
  });
});
