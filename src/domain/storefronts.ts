// The 175 App Store storefronts by their ISO 3166-1 codes, and how a person's choice of them is read.

export const storefronts: readonly string[] = `
  ae af ag ai al am ao ar at au az ba bb be bf bg bh bj bm bn bo br bs bt bw by bz ca cd cg ch ci
  cl cm cn co cr cv cy cz de dk dm do dz ec ee eg es fi fj fm fr ga gb gd ge gh gm gr gt gw gy hk
  hn hr hu id ie il in iq is it jm jo jp ke kg kh kn kr kw ky kz la lb lc lk lr lt lu lv ly ma md
  me mg mk ml mm mn mo mr ms mt mu mv mw mx my mz na ne ng ni nl no np nr nz om pa pe pg ph pk pl
  pt pw py qa ro rs ru rw sa sb sc se sg si sk sl sn sr st sv sz tc td th tj tm tn to tr tt tw tz
  ua ug us uy uz vc ve vg vn vu xk ye za zm zw
`
  .trim()
  .split(/\s+/);

export type ParsedRegions = { ok: true; regions: string[] } | { ok: false; reason: string };

/** Codes in any case, each once and in the order given; `all` stands for every storefront. */
export function parseStorefronts(stated: readonly string[]): ParsedRegions {
  const codes = [...new Set(stated.map((code) => code.trim().toLowerCase()))];
  if (codes.length === 0) return { ok: false, reason: "name at least one storefront" };
  if (codes.includes("all")) return { ok: true, regions: [...storefronts] };
  const unknown = codes.filter((code) => !storefronts.includes(code));
  if (unknown.length > 0) return { ok: false, reason: describeUnknown(unknown) };
  return { ok: true, regions: codes };
}

function describeUnknown(unknown: readonly string[]): string {
  const named = unknown.map((code) => JSON.stringify(code.slice(0, 40))).join(", ");
  // The code that people type for the United Kingdom is not the one that ISO gave it.
  const hint = unknown.includes("uk") ? "; the United Kingdom is gb" : "";
  return `there is no storefront ${named}${hint}`;
}
