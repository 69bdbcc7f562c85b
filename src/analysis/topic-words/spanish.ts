// What Spanish reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const spanish: TopicWords = {
  crash: `se_cierra se_cierra_sola se_me_cierra cierre_inesperado crashea* se_sale_sola se_cae
    se_cierra_solo se_cierra_sin se_cierra_a_cada se_cierra_constantemente se_cierra_cada
    se_sale se_sale_solo se_me_sale me_saca me_saca_de me_bota se_bota crashea crashes
    se_detiene se_detuvo se_reinicia se_apaga cierres_inesperados cierre_forzado no_abre_la_app
    no_se_abre no_me_abre no_inicia no_arranca ni_abre ni_siquiera_abre se_congela se_cuelga
    congelad*`,
  bug: `problema problemas no_sirve no_abre no_me_deja no_carga error errores fallo fallos falla
    fallas bug bugs no_funciona dejó_de_funcionar no_puedo no_puedes no_se_puede no_pude
    no_he_podido no_puede no_pueden no_podía no_podido no_logro no_deja no_te_deja no_les_deja
    no_permite no_me_permite no_te_permite no_funciona_bien no_funcionan no_funcionó ya_no_funciona
    ya_no_sirve ya_no_abre ya_no_puedo ya_no_me_deja dejó_de_servir dejo_de_funcionar dejo_de_servir
    no_me_funciona no_me_sirve no_me_carga no_cargan no_responde no_me_aparece no_aparece
    no_aparecen no_se_ve no_se_ven no_veo no_se_muestra no_me_muestra no_se_conecta no_conecta
    no_me_reconoce no_reconoce no_detecta no_sincroniza no_guarda no_se_guarda no_actualiza
    no_se_actualiza no_descarga no_se_descarga no_se_escucha no_suena no_envía no_manda no_llega
    no_llegan no_me_llega no_me_llegan no_me_llegó nunca_llega nunca_llegó nunca_me_llegó
    nunca_funciona nunca_pude no_acepta no_toma imposible fallando fallan falló fallas_técnicas
    error_de marca_error me_marca_error sale_error me_sale_error dice_error manda_error errónea
    incorrecto incorrecta equivocado se_traba_y se_borró se_borran se_perdió perdí_mi desapareció
    desaparece desaparecieron borraron borró se_me_borró bugs_y bugeado buggeado bugueada
    pantalla_negra pantalla_blanca pantalla_en_blanco en_blanco arreglen arréglenlo arreglar
    arreglenlo corrijan corregir solucionen solucionar inservible mantenimiento en_mantenimiento
    se_queda_cargando se_queda_en no_pasa_de no_avanza inestable intermitente problemas_técnicos
    rechaza me_rechaza no_existe duplicad* se_duplican se_desconecta desconecta bloquea se_bloquea
    se_bloqueó atascad* no_encuentra inutilizable tengo_que_desinstalar* reinstalar`,
  performance: `lenta lento lentas lentos lentitud se_traba tarda_mucho se_queda_pegad* no_carga rendimiento
    lentísim* muy_lento va_lento tarda tarda_demasiado tardan tardado tarda_en tardan_mucho
    tardan_en demora demora_mucho se_demora traba trabado se_queda_pensando pegada se_pega
    cargando tiempo_de_carga lag laggea consume_mucha consume_muchos mucho_espacio memoria_ram
    pesada pesa_mucho fluida`,
  login: `iniciar_sesión inicio_de_sesión contraseña* registrarme no_puedo_entrar
    no_me_deja_entrar ingresar_a_mi_cuenta código_de_verificación login cerró_sesión iniciar_sesion
    inicio_sesión inicio_de_sesion mi_cuenta_de mi_cuenta cuenta_suspendida cuenta_bloqueada
    suspendieron_mi bloquearon_mi bloqueó_mi_cuenta me_bloquearon me_hackearon hackearon
    recuperar_mi_cuenta recuperar_cuenta acceder acceder_a ingresar entrar_a_mi registro registrarse
    registrarte registrar verificación verificar verifique verifiques validar_mi identidad
    código_de_verificacion código_sms el_código mi_código huella reconocimiento_facial nip pin
    usuario_y contrasena contraseña_incorrecta cierra_sesión cerrar_sesión cierra_la_sesión sesión
    crear_una_cuenta crear_cuenta crear_mi_cuenta activar_mi clave`,
  pricing: `precio precios cara caro caras caros costos* barato barata gratis cuesta comisión
    comisiones carísim* muy_cara muy_caro estafa estafadores robo_de cobran_mucho descuento*
    promocion* oferta ofertas pagar_para gratuito gratuita gratuitos de_paga de_pago cuota anualidad
    intereses tasa`,
  subscription: `suscripci* suscrib* prueba_gratis prueba_gratuita premium membresía mensualidad
    anual renovación cancelar_mi cancelar_la_suscripción plan_familiar versión_de_pago plan_premium
    membresias membresía* prueba_gratuita*`,
  ads: `publicidad anuncio anuncios propaganda propagandas publicidades comerciales
    demasiada_publicidad muchos_anuncios comercial spam`,
  ui: `interfaz diseño navegación modo_oscuro intuitiv* botón botones diseños gráficos gráficas
    visual visualmente amigable fácil_de_usar facil_de_usar difícil_de_usar complicada complicado
    confusa confuso intuitiva amigables iconos menú menús letras tamaño_de_letra colores tema_oscuro
    modo_obscuro pantalla_de_inicio widget apariencia estética navegar_por usabilidad
    pantalla_completa bonita_interfaz`,
  featureRequest: `deberían_agregar podrían_agregar agreguen añadan podrían_añadir me_gustaría_que
    estaría_bien sería_bueno sería_genial ojalá falta_la_opción deberían_poner podrían_poner
    deberían_de deberían_tener debería_tener debería_haber debería_poder deberían_permitir
    deberían_mejorar deberían_hacer deberían_incluir deberían_dar deberian_poner deberian_agregar
    debería_incluir debería_permitir deberían_quitar deberían podrían_mejorar podrían_hacer
    podrían_incluir podría_mejorar podrían podrian_poner podrían_habilitar podria_ser
    podría_ser_mejor pueden_agregar pueden_poner agregar_la agregar_una agregar_más agregar_un
    agregar_opción agreguen_la agreguen_más añadir añadan_la incluir incluyan incorporen incorporar
    habiliten pongan poner_la_opción pongan_la_opción implementen implementar quiten falta_la
    falta_una falta_un faltan le_falta les_falta le_hace_falta hace_falta hacen_falta falta_que
    falta_mejorar falta_opción me_gustaría me_gustaria me_encantaría quisiera quisiera_que
    sería_ideal sería_mejor sería_excelente sería_perfecto sería_útil sería_bueno_que sería_más
    seria_bueno seria_genial seria_mejor estaría_genial estaría_mejor estaría_excelente estaria_bien
    estaría_bueno estaria_genial ojala esperemos espero_pronto espero_agreguen espero_puedan
    esperaría la_opción_de opción_para opción_de no_hay_opción no_hay_manera no_hay_forma
    no_existe_la_opción no_tiene_la_opción no_tiene_opción no_tiene_la_función sugerencia
    sugerencias sugiero sugeriría recomendación_para mejoren mejorar mejoraría podrían_agregar_la
    necesita_más necesita_una necesitamos no_es_compatible compatible compatibilidad disponible_para
    no_disponible no_está_disponible regresen devuelvan vuelvan_a_poner por_qué_no_ponen
    por_qué_quitaron quitaron`,
  update: `actualizaci* actualizar actualicé actualizaron nueva_versión última_versión
    actualización_nueva actualizada actualizado actualizando actualicen actualizarla la_nueva_app
    nueva_actualización última_actualización versión_anterior versiones desde_la_actualización
    upgrade`,
  notifications: `notificaci* avisos recordatorio* notificación notifica notifican alertas alerta
    alarma avisa`,
  support: `servicio_al_cliente atención_al_cliente soporte no_responden no_contestan
    servicio_técnico servicio_a_cliente atención_a_cliente servicio_de_atención atencion_al_cliente
    servicio_cliente asesor asesores ejecutivo ejecutivos no_atienden nadie_atiende nadie_contesta
    nadie_responde no_me_responden no_dan_respuesta no_dan_solución sin_respuesta sin_solución
    no_solucionan no_resuelven no_ayudan mal_servicio pésimo_servicio pesimo_servicio chat_de_ayuda
    el_chat línea_de_ayuda call_center quejas queja reclamo reclamos reporte ticket asistencia
    nadie_ayuda nadie_me_ayuda contactar`,
  privacy: `privacidad datos_personales mis_datos espía* espían permisos información_personal
    mi_información datos_privados robo_de_datos roban_tus roban_datos ubicación rastre* acceso_a_mis
    hackeo hackeada vigilan piden_demasiados`,
  battery: `batería recalienta bateria consume_batería gasta_batería descarga_la calienta
    se_calienta`,
  payment: `pago pagos cobro cobraron cobran reembols* transferencia* devolución mi_dinero
    tarjeta_de_crédito paypal pagar pagué pague depósito* depositar depositaron depositos deposite
    tarjeta_de_débito tarjeta tarjetas mi_tarjeta dinero saldo cargos retiro retirar compras compré
    reembolso factura facturación spei oxxo bancaria reintegro devolver devolvieron me_robaron
    robaron_mi transferir fondos cuenta_bancaria`,
  content: `contenido* películas series canciones música vídeos videos artículos niveles capítulos
    noticias recetas contenidos capitulos peliculas musica serie película episodio episodios
    temporadas historia historias personajes personaje nivel misiones eventos evento retos
    ejercicios lecciones podcast podcasts canales libros reels publicaciones algoritmo catálogo
    catalogo variedad temas cursos`,
  praise: `excelente_app excelente_aplicación excelente me_encanta la_mejor_app mejor_aplicación
    buena_app buena_aplicación increíble maravillos* perfect* genial muy_buena_app muy_buena
    muy_bueno muy_buen excelentes excelente_servicio me_gusta_mucho me_gusta_la me_gusta_esta
    encanta la_recomiendo recomendable lo_recomiendo súper super_buena buenísim* perfecta
    espectacular fantástic* muy_útil muy_util lo_mejor la_mejor`,
};
