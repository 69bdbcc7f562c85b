// App icons of the simulated stores: a PNG with one letter on a colour of its own, drawn from its name.
import { deflateSync } from "node:zlib";
import { crc32 } from "./crc32.ts";

export const iconPath = /^\/icons\/([a-z]{1,40})\.png$/;

const size = 128;
const glyphSize = 5;

// Five by five, a row a string.
const glyphs: Readonly<Record<string, readonly string[]>> = {
  driftnote: ["####.", "#...#", "#...#", "#...#", "####."],
  tidelist: ["#####", "..#..", "..#..", "..#..", "..#.."],
};
const colours: Readonly<Record<string, readonly [number, number, number]>> = {
  driftnote: [37, 99, 176],
  tidelist: [24, 128, 92],
};
const plainColour = [96, 96, 104] as const;

export function drawIcon(name: string): Buffer {
  const [red, green, blue] = colours[name] ?? plainColour;
  const rows: Buffer[] = [];
  for (let y = 0; y < size; y += 1) {
    // Each row begins with its filter: none.
    const row = Buffer.alloc(1 + size * 3);
    for (let x = 0; x < size; x += 1) {
      const shade = 1 - 0.25 * (y / size);
      const isInk = isGlyph(glyphs[name], { x, y });
      const pixel = isInk ? [255, 255, 255] : [red * shade, green * shade, blue * shade];
      row.set(pixel.map(Math.round), 1 + x * 3);
    }
    rows.push(row);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  // 8 bits a channel, RGB.
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function isGlyph(glyph: readonly string[] | undefined, { x, y }: { x: number; y: number }) {
  const cell = size / (glyphSize + 3);
  const [column, row] = [Math.floor(x / cell - 1.5), Math.floor(y / cell - 1.5)];
  return glyph?.[row]?.[column] === "#";
}

function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), content]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(content.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
