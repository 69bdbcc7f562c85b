// Draws a card of the page as a PNG, with the page's own styles: as an SVG image of its markup, because the browser offers
// no picture of an element.

/** Twice as many pixels as on the page: sharp on slides. */
const scale = 2;
const marginPx = 16;

const captionPx = 28;

/**
 * @param caption what the figures are about, below the card
 * @throws Error when the browser can't draw it
 */
export async function drawCard(card: HTMLElement, caption: string): Promise<Blob> {
  const { width, height } = card.getBoundingClientRect();
  const size = { width: width + 2 * marginPx, height: height + 2 * marginPx + captionPx };
  const css = await readCss();
  const image = await loadImage(toSvg(await copyCard(card), { ...size, css, caption }));
  const canvas = document.createElement("canvas");
  canvas.width = size.width * scale;
  canvas.height = size.height * scale;
  const context = canvas.getContext("2d");
  context?.scale(scale, scale);
  context?.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("the browser could not draw the card");
  return blob;
}

/** An image can't load others: what canvases and icons show becomes a part of it. */
async function copyCard(card: HTMLElement): Promise<HTMLElement> {
  const copy = card.cloneNode(true) as HTMLElement;
  const drawn = [...card.querySelectorAll<HTMLCanvasElement | HTMLImageElement>("canvas, img")];
  const targets = copy.querySelectorAll("canvas, img");
  for (const [index, one] of drawn.entries()) {
    const { width, height } = one.getBoundingClientRect();
    const image = document.createElement("img");
    image.src = toDataUrl(one);
    image.style.cssText = `width:${width}px;height:${height}px`;
    targets[index]?.replaceWith(image);
  }
  for (const button of copy.querySelectorAll("button, summary")) button.remove();
  return copy;
}

function toDataUrl(drawn: HTMLCanvasElement | HTMLImageElement): string {
  if (drawn instanceof HTMLCanvasElement) return drawn.toDataURL();
  const canvas = document.createElement("canvas");
  canvas.width = drawn.naturalWidth;
  canvas.height = drawn.naturalHeight;
  canvas.getContext("2d")?.drawImage(drawn, 0, 0);
  return canvas.toDataURL();
}

/** The styles of the page, with the font itself in place of its URL. */
async function readCss(): Promise<string> {
  const css = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
    .join("\n");
  const fonts = [
    ...new Set([...css.matchAll(/url\("([^"]+\.woff2)"\)/g)].map(([, url = ""]) => url)),
  ];
  const embedded = await Promise.all(fonts.map(async (url) => [url, await embed(url)] as const));
  return embedded.reduce((text, [url, data]) => text.replaceAll(url, data), css);
}

async function embed(url: string): Promise<string> {
  const blob = await (await fetch(url)).blob();
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** As wide as the window: the styles are those of its width. */
function toSvg(
  card: HTMLElement,
  { css, caption, width, height }: { css: string; caption: string; width: number; height: number },
) {
  const style = document.createElement("style");
  style.textContent = css;
  const box = document.createElement("div");
  const { fontFamily, fontSize, lineHeight, color, backgroundColor } = getComputedStyle(
    document.body,
  );
  Object.assign(box.style, { fontFamily, fontSize, lineHeight, color, backgroundColor });
  Object.assign(box.style, {
    boxSizing: "border-box",
    height: `${height}px`,
    padding: `${marginPx}px`,
  });
  const line = document.createElement("p");
  line.textContent = caption;
  Object.assign(line.style, { margin: "0", paddingTop: "6px", fontSize: "13px", opacity: "0.8" });
  box.append(style, card, line);
  const markup = new XMLSerializer().serializeToString(box);
  const scheme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const theme = document.documentElement.dataset["theme"] ?? scheme;
  return `<svg xmlns="http://www.w3.org/2000/svg" data-theme="${theme}" style="color-scheme:${theme}"
    width="${Math.max(window.innerWidth, width)}" height="${height}">
    <foreignObject width="${width}" height="${height}">${markup}</foreignObject></svg>`;
}

function loadImage(svg: string): Promise<HTMLImageElement> {
  return new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => fail(new Error("the browser could not read the card"));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
