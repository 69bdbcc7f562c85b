// The territories of storefronts by the codes of App Store Connect and of many exports: ISO 3166-1 alpha-3, and XKS for
// Kosovo, which has none.

/** null for a territory without a storefront. */
export function regionOfTerritory(territory: string): string | null {
  return regions.get(territory.toUpperCase()) ?? null;
}

/** null for other codes. */
export function territoryOfRegion(region: string): string | null {
  return territories.get(region.toLowerCase()) ?? null;
}

/** By the codes of the storefronts. */
export const territories = parseCodeTable(`
  aeARE afAFG agATG aiAIA alALB amARM aoAGO arARG atAUT auAUS azAZE baBIH bbBRB beBEL bfBFA bgBGR
  bhBHR bjBEN bmBMU bnBRN boBOL brBRA bsBHS btBTN bwBWA byBLR bzBLZ caCAN cdCOD cgCOG chCHE ciCIV
  clCHL cmCMR cnCHN coCOL crCRI cvCPV cyCYP czCZE deDEU dkDNK dmDMA doDOM dzDZA ecECU eeEST egEGY
  esESP fiFIN fjFJI fmFSM frFRA gaGAB gbGBR gdGRD geGEO ghGHA gmGMB grGRC gtGTM gwGNB gyGUY hkHKG
  hnHND hrHRV huHUN idIDN ieIRL ilISR inIND iqIRQ isISL itITA jmJAM joJOR jpJPN keKEN kgKGZ khKHM
  knKNA krKOR kwKWT kyCYM kzKAZ laLAO lbLBN lcLCA lkLKA lrLBR ltLTU luLUX lvLVA lyLBY maMAR mdMDA
  meMNE mgMDG mkMKD mlMLI mmMMR mnMNG moMAC mrMRT msMSR mtMLT muMUS mvMDV mwMWI mxMEX myMYS mzMOZ
  naNAM neNER ngNGA niNIC nlNLD noNOR npNPL nrNRU nzNZL omOMN paPAN pePER pgPNG phPHL pkPAK plPOL
  ptPRT pwPLW pyPRY qaQAT roROU rsSRB ruRUS rwRWA saSAU sbSLB scSYC seSWE sgSGP siSVN skSVK slSLE
  snSEN srSUR stSTP svSLV szSWZ tcTCA tdTCD thTHA tjTJK tmTKM tnTUN toTON trTUR ttTTO twTWN tzTZA
  uaUKR ugUGA usUSA uyURY uzUZB vcVCT veVEN vgVGB vnVNM vuVUT xkXKS yeYEM zaZAF zmZMB zwZWE
`);

const regions: ReadonlyMap<string, string> = new Map(
  [...territories].map(([region, territory]) => [territory, region]),
);

/** Each entry begins with the two letters of a storefront or language. */
export function parseCodeTable(table: string): ReadonlyMap<string, string> {
  const pairs = table.trim().split(/\s+/);
  return new Map(pairs.map((pair) => [pair.slice(0, 2), pair.slice(2)]));
}
