// The storefronts by part of the world, and the sets that people choose at once. Codes are those of ISO 3166-1.

const split = (codes: string): readonly string[] => codes.trim().split(/\s+/);

export const storefrontGroups: readonly { name: string; codes: readonly string[] }[] = [
  {
    name: "Europe",
    codes: split(`al at ba be bg by ch cy cz de dk ee es fi fr gb gr hr hu ie is it lt lu lv md me
      mk mt nl no pl pt ro rs ru se si sk tr ua xk`),
  },
  {
    name: "Americas",
    codes:
      split(`ag ai ar bb bm bo br bs bz ca cl co cr dm do ec gd gt gy hn jm kn ky lc ms mx ni pa
      pe py sr sv tc tt us uy vc ve vg`),
  },
  {
    name: "Asia and Pacific",
    codes:
      split(`af am au az bn bt cn fj fm ge hk id in jp kg kh kr kz la lk mm mn mo mv my np nr nz
      pg ph pk pw sb sg th tj tm to tw uz vn vu`),
  },
  {
    name: "Africa and Middle East",
    codes:
      split(`ae ao bf bh bj bw cd cg ci cm cv dz eg ga gh gm gw il iq jo ke kw lb lr ly ma mg ml
      mr mu mw mz na ne ng om qa rw sa sc sl sn st sz td tn tz ug ye za zm zw`),
  },
];

export const topStorefronts = split("us gb ca au de fr es it jp br");

/** The member states of the European Union. */
export const euStorefronts = split(
  "at be bg hr cy cz dk ee fi fr de gr hu ie it lv lt lu mt nl pl pt ro sk si es se",
);
