// What Spanish reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const spanish: TopicWords = {
  crash: "se_cierra se_cierra_sola se_me_cierra cierre_inesperado crashea* se_sale_sola se_cae",
  bug: `problema problemas no_sirve no_abre no_me_deja no_carga error errores fallo fallos falla
    fallas bug bugs no_funciona dejó_de_funcionar`,
  performance: `lenta lento lentas lentos lentitud se_traba se_congela se_cuelga tarda_mucho
    se_queda_pegad* no_carga rendimiento`,
  login: `iniciar_sesión inicio_de_sesión contraseña* registrarme no_puedo_entrar no_me_deja_entrar
    ingresar_a_mi_cuenta código_de_verificación login cerró_sesión`,
  pricing: "precio precios cara caro caras caros costos* barato barata gratis cuesta",
  subscription: "suscripci* suscrib* prueba_gratis prueba_gratuita premium membresía",
  ads: "publicidad anuncio anuncios propaganda propagandas",
  ui: "interfaz diseño navegación modo_oscuro intuitiv* botón botones",
  featureRequest: `deberían_agregar podrían_agregar agreguen añadan podrían_añadir me_gustaría_que
    estaría_bien sería_bueno sería_genial ojalá falta_la_opción deberían_poner podrían_poner`,
  update: "actualizaci* actualizar actualicé actualizaron nueva_versión última_versión",
  notifications: "notificaci* avisos recordatorio*",
  support: `servicio_al_cliente atención_al_cliente soporte no_responden no_contestan servicio_técnico`,
  privacy: "privacidad datos_personales mis_datos espía* espían permisos",
  battery: "batería recalienta",
  payment: `pago pagos cobro cobraron cobran reembols* transferencia* devolución mi_dinero
    tarjeta_de_crédito paypal`,
  content: `contenido* películas series canciones música vídeos videos artículos niveles capítulos
    noticias recetas`,
  praise: `excelente_app excelente_aplicación excelente me_encanta la_mejor_app mejor_aplicación
    buena_app buena_aplicación increíble maravillos* perfect* genial`,
};
